"""What was attacked once and held: `make attack` tries it again. Ordinary runs of the tests leave this folder out."""

import multiprocessing

import pytest


def pytest_ignore_collect(collection_path, config):
    """Collect this folder for `-m attack` only."""
    return None if "attack" in (config.option.markexpr or "") else True


def pytest_collection_modifyitems(items):
    ours = [item for item in items if "attack" in item.path.parts]
    for item in ours:
        item.add_marker("attack")
    if len(ours) == len(items):  # two processes begin with what takes minutes
        items.sort(key=lambda item: item.path.stem not in {"test_sessions", "test_writers"})


@pytest.fixture(scope="session")
def processes():
    """Processes that have imported what they need when they begin, and have no threads of this one."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["writers"])
    return context
