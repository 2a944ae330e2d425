"""The listing of commands."""

import re

from calls import cli

from synthpriv_sql.planner.headers import catalog


def listed(*command):
    """The names of commands under each heading."""
    status, out, _ = cli(*command, "--help")
    assert status == 0
    headings = re.split(r"^(\S.*):\n", out, flags=re.MULTILINE)[1:]
    return {
        heading: re.findall(r"^  (\w+)  ", text, re.MULTILINE)
        for heading, text in zip(headings[::2], headings[1::2], strict=True)
    }


def test_help_begins_with_the_commands_that_most_people_need():
    found = listed()
    del found["Options"]
    assert next(iter(found.items())) == ("What most people need", catalog.first())
    names = [name for names in found.values() for name in names]
    assert len(names) == len(set(names))
    assert set(catalog.functions()) < set(names)
    # Not all of them have SQL.
    assert listed("sql")["What most people need"] == [name for name in catalog.first() if name != "report"]


def test_help_says_which_of_similar_commands_is_meant():
    _, out, _ = cli("--help")
    said = " ".join(out.split())
    for name, other in {"gate": "changes", "comparison": "changes", "screen": "safe", "safe": "screen"}.items():
        text = re.search(rf" {name} [A-Z].*?\.(?= \w+ [A-Z]|$| [A-Z])", said)[0]
        assert other in text, name


def test_a_word_that_several_commands_could_mean():
    code, _, errors = cli("compare", "--synthetic", "a")
    assert code == 2
    for name in ("comparison", "candidates", "changes", "fidelity"):
        assert f"{name}: " in errors
