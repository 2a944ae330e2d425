"""The headers of sql/ say what the files do, and the Python methods take just that."""

import inspect
import re
import runpy
import tomllib
import typing

from calls import ROOT
from loops import each
from sqlglot import exp

import synthpriv_sql
from synthpriv_sql.planner.headers import arguments, catalog
from synthpriv_sql.planner.headers.known_files import PILOT

FOLDER = catalog.sql_folder()
FILES = sorted(FOLDER.glob("*/*.sql"))
PLAIN = {path.stem: catalog.part(path.stem, plain=True) for path in FILES if path.parent.name == "plain"}
FUNCTIONS = {path.stem: catalog.part(path.stem) for path in FILES if path.parent.name not in {"statements", "plain"}}
PUBLIC = catalog.functions()
TYPES = {
    "relation",
    "relations",
    "expression",
    "integer",
    "number",
    "numbers",
    "boolean",
    "text",
    "name",
    "names",
    "weights",
    "families",
    "tables",
    "ladders",
    "csv",
}
HEADERS = (ROOT / "docs" / "headers.md").read_text(encoding="utf-8")
"""The list of all keys, with an example each."""
SQL_TYPES = {"VARCHAR", "INTEGER", "BIGINT", "HUGEINT", "DOUBLE", "BOOLEAN", "VARCHAR[]", "ANY", "STRUCT"}
OWN_COLUMNS_ONLY = {"safe", "baseline", "flatten", "remedied"}
GROUPS = tomllib.loads((FOLDER / "options.toml").read_text(encoding="utf-8"))
TABLES = tomllib.loads((FOLDER / "tables.toml").read_text(encoding="utf-8"))
SHARED = {name for options in GROUPS.values() for name in options if name != "about"}
COLUMNS_OF = {"", "common", "compared", "own", "quasi_identifiers", "components", "flattened", "beside_parents", "runs"}


def header(path):
    text = path.read_text(encoding="utf-8")
    assert text.startswith("/*\n")
    return tomllib.loads(text[2:].partition("*/")[0])


def test_a_plain_variant_takes_what_the_file_takes():
    for name, variant in PLAIN.items():
        taken = {
            p.name: (p.type, p.default)
            for p in FUNCTIONS[name].parameters.values()
            if p.group not in {"groups", "types", "files", "nested"}  # those are of calls
        }
        assert {p.name: (p.type, p.default) for p in variant.parameters.values()} == taken
        assert (variant.part, variant.widest) == (True, FUNCTIONS[name].widest)


def function_of(path):
    return (PLAIN if path.parent.name == "plain" else FUNCTIONS)[path.stem]


def with_header(paths=FILES):
    return [path for path in paths if path.parent.name != "statements"]


def listed_keys(of_parameters):
    """The keys that docs/headers.md lists, each with its example."""
    before, _, after = HEADERS.partition("\n## Parameters\n")
    rows = re.findall(r"^\| (`.+?`) \| .+ \| `([\w.]+)` \|$", after if of_parameters else before, re.MULTILINE)
    return [(key, example) for keys, example in rows for key in re.findall(r"`([\w.]+)`", keys)]


def test_the_list_of_keys_is_that_of_the_headers():
    headers = {path.stem: header(path) for path in with_header() if path.parent.name != "plain"}

    def keys(one):
        """The keys of a header, those of its tables as they are written."""
        return {f"{table}.{key}" for table in ("reads", "gives", "run") for key in one.get(table, {})} | (
            one.keys() - {"reads", "gives", "run"}
        )

    every = [*headers.values(), *(header(path) for path in with_header() if path.parent.name == "plain")]
    assert sorted(key for key, _ in listed_keys(False)) == sorted({key for one in every for key in keys(one)})
    parameters = [parameter for one in every for parameter in one.get("parameters", {}).values()]
    parameters += TABLES.values()
    assert sorted(key for key, _ in listed_keys(True)) == sorted({key for one in parameters for key in one})
    for key, file in listed_keys(False):
        assert key in keys(header(FOLDER / "plain" / f"{file}.sql") if key == "run.stands_in" else headers[file]), (
            key,
            file,
        )
    for key, example in listed_keys(True):
        file, _, parameter = example.partition(".")
        declared = headers[file]["parameters"][parameter]
        bounds = {"minimum", "maximum", "above", "below"}
        assert key in declared or (key in bounds and bounds & declared.keys()), (key, example)


def test_shared_tables_are_declared_once():
    for path in with_header():
        declared = header(path)
        taken = [name.removesuffix("?") for name in declared.get("tables", [])]
        for name, table in declared.get("parameters", {}).items():
            if name in TABLES and table.get("type") == "relation":
                # Only after other parameters: the order is that of a call.
                assert name not in taken
                assert next(iter(declared["parameters"])) != name or taken, path
            elif name in taken:
                assert table, path
                assert table.get("doc") != TABLES[name]["doc"], path


def test_the_one_number_is_a_column():
    named = {name: function for name, function in PUBLIC.items() if function.number}
    assert {"discernibility", "best_discernibility", "mda"} <= set(named)
    assert all(function.number in function.columns for function in named.values())


def test_no_two_files_have_one_name():
    assert len({path.stem for path in FILES}) == len(FILES) - len(PLAIN)
    assert set(FUNCTIONS) >= set(PUBLIC)
    assert all(name == name.lower() for name in FUNCTIONS)


@each("path", with_header())
def test_a_header_is_complete(path):
    facts, function = header(path), function_of(path)
    assert function.summary[-1] in ".?"
    assert function.summary[0].isupper()
    if not function.part:
        assert function.source.strip(), "where the definition comes from"
    for name, fact in facts.get("parameters", {}).items():
        assert function.parameters[name].type in TYPES
        assert function.parameters[name].doc.strip(), name
        # Required, optional, or with a default: one of the three.
        assert not ("default" in fact and fact.get("optional"))
    for name, doc in function.columns.items():
        assert doc.strip(), name
        # What parts give each other may be of any type.
        assert function.part or re.match(r"[A-Z]+(\[\])?", doc)[0] in SQL_TYPES, name
    assert function.columns_of in COLUMNS_OF
    assert function.widest in {"", *function.parameters}
    assert set(function.keys) <= set(function.columns)
    assert set(function.columns_with) <= set(function.columns)
    assert set(function.columns_with.values()) <= set(function.parameters)
    assert set(function.units) <= {p.name for p in function.relations}
    assert bool(function.units) == ("unit" in function.parameters)
    assert function.side in {"", *function.columns}


@each("name", PUBLIC)
def test_columns_given_are_columns_documented(name):
    function = PUBLIC[name]
    tree = function.tree
    given = [column.alias_or_name for column in tree.selects if not isinstance(column, exp.Anonymous)]
    inner = {"*"} & set(given)  # read from a part whole; test_surfaces compares names where it runs
    own = any(isinstance(column, exp.Anonymous) and column.name == "each" for column in tree.selects)
    assert own == bool(function.columns_of)
    if not inner:
        # What is only there to be sorted by is not given to the user.
        assert [column for column in given if column in function.columns] == list(function.columns)
        assert set(given) - set(function.columns) <= set(function.order) | {"key"} | (
            {"rows"} if name == "flatten" else set()
        )
    assert function.columns or name in OWN_COLUMNS_ONLY


@each("name", FUNCTIONS)
def test_every_option_is_used_and_declared(name):
    function = FUNCTIONS[name]
    used = {placeholder.name for placeholder in function.tree.find_all(exp.Placeholder)}
    relations = {parameter.name for parameter in function.relations} | {"holdout"}
    planned = {"vector_columns", "columns_differ", "dialect"}
    relations |= {f"{parameter.name}_key" for parameter in function.relations} | planned
    # Parts also read what their callers were given.
    outer = SHARED | {"quasi_identifiers", "k"} if function.part else set()
    assert used - relations <= set(function.parameters) | outer
    own = {parameter.name for parameter in function.options if not parameter.group}
    # Gone through as lists of columns; what has several statements asked, not one; or taken before a pilot is written.
    lists = {
        "quasi_identifiers",
        "size",
        "among",
        "until_safe",
        "copies_only",
        "key",
        "order",
        "prefix",
        "children",
        "columns",
    }
    lists |= {*function.groups} | ({"sample", "identifiers"} if name == PILOT else set())
    assert own - used <= lists or function.searched  # the search uses them


def test_shared_options_are_documented():
    for options in GROUPS.values():
        assert options["about"].endswith(".")
        for name, fact in options.items():
            if name != "about":
                assert fact["doc"].endswith("."), name
                assert fact["type"] in TYPES - {"relation", "expression"}, name
    # A name means one thing.
    assert len(SHARED) == sum(len(options) - 1 for options in GROUPS.values())
    assert {name: [p.name for p in group.options] for name, group in catalog.groups().items()} == {
        name: [option for option in options if option != "about"] for name, options in GROUPS.items()
    }


@each("name", PUBLIC)
def test_defaults_are_in_their_own_range(name):
    for parameter in PUBLIC[name].options:
        if parameter.required or parameter.default is None:
            continue
        complete = {p.name: "t" if p.type in {"relation", "name"} else ["x"] if p.type == "names" else 9
                    for p in PUBLIC[name].parameters.values() if p.required}  # fmt: skip
        checked = arguments.check(PUBLIC[name], complete | {parameter.name: parameter.default})
        assert checked.options[parameter.name] == parameter.default or parameter.default == ["all"]


# What a folder holds

TOOL = runpy.run_path(str(FOLDER.parent / "tools" / "methods.py"))


@each("folder", TOOL["folders"]())
def test_the_readme_of_a_folder_lists_its_files(folder):
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {folder.name}\n\n")
    assert text == TOOL["described"](folder), "run: make methods"
    by_hand = text[: text.index("\n## ")]
    assert len(by_hand.splitlines()) > 2, "say above the list what the family is about"
    assert text.count("\n- ") == len([path for path in with_header() if path.parent == folder])


def test_every_folder_has_a_readme():
    folders = {path for path in FOLDER.iterdir() if path.is_dir()}
    assert folders == {path.parent for path in FOLDER.glob("*/README.md")}


# Python


def test_the_methods_are_those_of_the_headers():
    assert TOOL["source"]() == TOOL["TARGET"].read_text(encoding="utf-8"), "run: make methods"


def test_names_are_those_of_the_functions():
    assert catalog.names() == list(PUBLIC)


def test_every_function_is_a_method():
    methods = {name for name in dir(synthpriv_sql.Session) if not name.startswith("_")}
    assert set(PUBLIC) <= methods
    # The rest is no function of sql/, and nothing hides one that is.
    others = {"call", "cancel", "close", "connection", "plan", "remember", "report", "report_candidates", "sql"}
    assert methods - set(PUBLIC) <= others
    assert not set(PUBLIC) & set(vars(synthpriv_sql.Session))


@each("name", PUBLIC)
def test_a_method_takes_what_the_function_takes(name):
    method = getattr(synthpriv_sql.Session, name)
    taken = dict(inspect.signature(method).parameters)
    assert taken.pop("self")
    assert taken.pop("unknown").kind == inspect.Parameter.VAR_KEYWORD
    kinds = {taken.pop(option).kind for option in ("progress", "pushdown")}
    kinds |= {taken.pop("language").kind} if name in {"evaluate", "candidates", "remedy"} else set()
    assert kinds == {inspect.Parameter.KEYWORD_ONLY}
    declared = PUBLIC[name].parameters
    # What follows the quasi-identifiers is given by name: a number there means another thing elsewhere.
    surplus = taken.pop("surplus", None)
    named = set(list(declared)[list(declared).index("quasi_identifiers") + 1 :]) if surplus else set()
    assert surplus is None or surplus.kind == inspect.Parameter.VAR_POSITIONAL
    assert list(taken) == list(declared)
    for option, parameter in declared.items():
        by_name = bool(parameter.group) or option in named
        assert (taken[option].kind == inspect.Parameter.KEYWORD_ONLY) == by_name, option
        default = taken[option].default
        if parameter.required:
            assert default is inspect.Parameter.empty, option
        else:
            given = {n: "t" if p.type in {"relation", "name"} else ["x"] if p.type == "names" else 9
                     for n, p in declared.items() if p.required}  # fmt: skip
            checked = [arguments.check(PUBLIC[name], given | o).options.get(option) for o in ({option: default}, {})]
            # "all" stands for all the other choices.
            assert checked == [checked[0]] * 2 if "all" in parameter.choices else [parameter.default] * 2
    assert issubclass(typing.get_type_hints(method)["return"], synthpriv_sql.Result)


@each("name", PUBLIC)
def test_help_says_what_each_option_and_column_is(name):
    text = inspect.getdoc(getattr(synthpriv_sql.Session, name))
    flat = " ".join(text.split())
    assert flat.startswith(PUBLIC[name].summary)
    for option, parameter in PUBLIC[name].parameters.items():
        assert re.search(rf"^{option} : \S", text, re.MULTILINE), option
        assert parameter.doc.rstrip(".")[1:] in flat, option
        assert all(f"'{choice}'" in flat for choice in parameter.choices), option
    for column, doc in PUBLIC[name].columns.items():
        assert f"- {column}: {doc}" in flat, column
