"""Completion in the shell, and help that is laid out as it was written."""

import pytest
from calls import cli
from click.shell_completion import get_completion_class

from synthpriv_sql.cli import synthpriv


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_asks_the_program(shell):
    code, out, _ = cli("completion", shell)
    assert code == 0
    assert f"_SYNTHPRIV_COMPLETE={shell}_complete" in out


@pytest.mark.parametrize(
    ("before", "typed", "offered"),
    [
        ([], "dcr", {"dcr", "dcr_summary"}),
        (["sql"], "holdout", {"holdout_share"}),
        (["dcr"], "--met", {"--metric"}),
        (["dcr", "--format"], "c", {"csv"}),
        (["completion"], "", {"bash", "zsh", "fish"}),
    ],
)
def test_commands_options_and_choices_are_completed(before, typed, offered):
    complete = get_completion_class("bash")(synthpriv, {}, "synthpriv", "_SYNTHPRIV_COMPLETE")
    assert {item.value for item in complete.get_completions(before, typed)} == offered


@pytest.mark.parametrize("command", [[], ["completion"], ["sql"], ["dcr"]])
def test_help_has_its_lines(command):
    code, out, _ = cli(*command, "--help")
    assert code == 0
    assert "\\b" not in out
