"""dbt: the example project is built, its tests tell the tables apart, and the macros write what they should.

Runs in an environment with dbt (`make test` has one), where nothing else of the tests runs.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from calls import ROOT

import synthpriv_sql
from synthpriv_sql.report.verdict.findings import LEVELS

EXAMPLE = ROOT / "examples" / "dbt_project"
NOT_COPIED = shutil.ignore_patterns("target", "logs", "dbt_packages", "package-lock.yml", "*.duckdb*")


class Project:
    """A copy of the example in a folder of its own."""

    def __init__(self, folder):
        self.folder = shutil.copytree(EXAMPLE, folder, ignore=NOT_COPIED)
        package = subprocess.run(
            [sys.executable, "-m", "synthpriv_sql.dbt"], capture_output=True, text=True, check=True
        )
        self.environment = os.environ | {"SYNTHPRIV_DBT": package.stdout.strip(), "DBT_SEND_ANONYMOUS_USAGE_STATS": "0"}
        assert self.dbt("deps") == (0, {})

    def dbt(self, *arguments):
        """Run dbt; return its exit code, and for each node its status and number of failing rows."""
        results = self.folder / "target" / "run_results.json"
        results.unlink(missing_ok=True)
        command = [Path(sys.executable).with_name("dbt"), "--no-use-colors", *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=300, check=False
        )
        self.printed = done.stdout + done.stderr
        if not results.exists():
            return done.returncode, {}
        nodes = json.loads(results.read_text())["results"]
        return done.returncode, {node["unique_id"].split(".")[2]: (node["status"], node["failures"]) for node in nodes}

    def write(self, path, text):
        (self.folder / path).write_text(text)

    def forget(self, model):
        for file in (self.folder / "models").glob(f"{model}.*"):
            file.unlink()

    def query(self, sql):
        with synthpriv_sql.connect(str(self.folder / "example.duckdb")) as session:
            return session.connection.execute(sql).fetchall()


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("dbt") / "example")
    project.build = project.dbt("build")
    return project


def starting(results, name):
    return [outcome for node, outcome in results.items() if node.startswith(name)]


def test_the_example_builds_and_its_tests_tell_the_tables_apart(built):
    code, results = built.build
    assert code == 0, built.printed
    apart = ("no_near_copies", "nobody_exposed", "membership_below", "verdict_at_most")
    for test in ("no_copies", "dcr_band", "holdout_share_below", "k_anonymous", *apart):
        assert starting(results, f"synthpriv_{test}_synthetic_careful") == [("pass", 0)]
    assert starting(results, "synthpriv_no_copies_synthetic_leaky") == [("warn", 200)]
    assert starting(results, "synthpriv_dcr_band_synthetic_leaky") == [("warn", 1)]
    assert starting(results, "synthpriv_verdict_at_most_synthetic_leaky") == [("warn", 1)]
    assert starting(results, "synthpriv_holdout_share_below_synthetic_leaky") == [("warn", 3)]
    ((status, exposed),) = starting(results, "synthpriv_nobody_exposed_synthetic_leaky")
    assert status == "warn"
    assert exposed > 100
    ((status, attacks),) = starting(results, "synthpriv_membership_below_synthetic_leaky")
    assert status == "warn"
    assert attacks >= 1
    ((status, classes),) = starting(results, "synthpriv_k_anonymous_synthetic_leaky")
    small = "SELECT count(*) FROM (FROM synthetic_leaky SELECT count(*) AS n GROUP BY region, age) WHERE n < 5"
    assert (status, [(classes,)]) == ("warn", built.query(small))
    assert starting(results, "synthpriv_no_copies_released") == [("pass", 0)]


def test_a_model_has_what_the_function_gives(built):
    call = "synthpriv.dcr('synthetic_careful', 'customers_train', key := 'customer_id')"
    ((rows, differing),) = built.query(
        "SELECT (SELECT count(*) FROM closest_records), "
        f"(SELECT count(*) FROM (FROM closest_records EXCEPT FROM {call}))"
    )
    assert (rows, differing) == (400, 0)


def test_the_leaky_table_fails_where_warnings_are_errors(built):
    code, results = built.dbt("--warn-error", "test", "--select", "synthetic_leaky")
    assert code == 1
    assert len(results) == 7


def test_failing_rows_are_kept_without_the_values_of_people(built):
    built.write("models/leak.sql", "SELECT * FROM {{ ref('synthetic_leaky') }}")
    built.write(
        "models/leak.yml",
        """
models:
  - name: leak
    data_tests:
      - synthpriv.no_copies:
          name: kept_copies
          arguments: {train: ref('customers_train'), options: {key: customer_id}}
          config: {store_failures: true, severity: warn}
""",
    )
    _, results = built.dbt("build", "--select", "leak")
    built.forget("leak")
    assert results == {"leak": ("success", None), "kept_copies": ("warn", 200)}, built.printed
    columns = built.query(
        "SELECT column_name FROM duckdb_columns() WHERE table_name = 'kept_copies' ORDER BY column_index"
    )
    assert columns == [("record",), ("key",), ("copies",)]


def test_options_conditions_and_limits_reach_the_functions(built):
    built.write(
        "models/odd.sql",
        """
SELECT *, 'it''s' AS "size", [1] AS list
FROM {{ ref('customers_train') }}
UNION ALL BY NAME
SELECT *, 'new' AS "size", [1] AS list FROM {{ ref('synthetic_careful') }}
""",
    )
    built.write(
        "models/odd.yml",
        """
models:
  - name: odd
    data_tests:
      - synthpriv.no_copies:
          name: some
          arguments: {train: ref('customers_train'), options: {columns: [region, age, income], weights: {age: 0.5}}}
          config: {where: "size = 'it''s' AND (age < 40)"}
      - synthpriv.no_copies:
          name: none
          arguments:
            train: (SELECT * FROM synthetic_careful WHERE region = 'north')
            options: {columns: [region, age, income], metric: euclidean, category_mismatch: 2, scaling: null}
          config: {where: "size = 'it''s'"}
      - synthpriv.k_anonymous:
          name: sizes
          arguments: {quasi_identifiers: [size, region], k: 1000}
      - synthpriv.holdout_share_below:
          name: at_limit
          arguments:
            train: ref('customers_train')
            holdout: ref('customers_holdout')
            share: 0.5
            options: {columns: [region, age, income]}
      - synthpriv.holdout_share_below:
          name: below_limit
          arguments:
            train: ref('customers_train')
            holdout: ref('customers_holdout')
            share: 0.99
            options: {columns: [region, age, income]}
      - synthpriv.dcr_band:
          name: within_train
          arguments:
            train: ref('customers_train')
            at_least: high
            options: {columns: [region, age, income], statistic: mean}
""",
    )
    code, results = built.dbt("build", "--select", "odd")
    built.forget("odd")
    ((young,),) = built.query("SELECT count(*) FROM customers_train WHERE age < 40")
    assert code == 1
    assert results == {
        "odd": ("success", None),
        "some": ("fail", young),
        "none": ("pass", 0),
        "sizes": ("fail", 8),
        "at_limit": ("fail", 1),
        "below_limit": ("pass", 0),
        "within_train": ("fail", 1),
    }, built.printed


def test_classes_and_disclosure_tell_a_copy_from_a_careful_table(built):
    built.write("models/copied.sql", "SELECT * FROM {{ ref('customers_train') }}")
    both = """
      - synthpriv.disclosure_below:
          name: {model}_disclosure
          arguments: &{model}
            train: ref('customers_train')
            holdout: ref('customers_holdout')
            quasi_identifiers: [age, income]
            targets: [region]
            measures: [correct_disclosures]
      - synthpriv.disclosure_below:
          name: {model}_excess
          arguments: {{<<: *{model}, excess: 0.5, bins: 5}}
"""
    classes = """
      - synthpriv.l_diverse:
          name: diverse
          arguments: {quasi_identifiers: [region], sensitive: [age, income]}
      - synthpriv.l_diverse:
          name: not_diverse
          arguments: {quasi_identifiers: [region], sensitive: [age, income], l: 1000000, entropy: true}
      - synthpriv.t_close:
          name: close
          arguments: {quasi_identifiers: [region], sensitive: [age], t: 1}
      - synthpriv.t_close:
          name: not_close
          arguments: {quasi_identifiers: [age, income], sensitive: [region]}
"""
    built.write("models/careful.sql", "SELECT * FROM {{ ref('synthetic_careful') }}")
    listed = [f"  - name: {m}\n    data_tests:{both.format(model=m)}" for m in ("careful", "copied")]
    built.write("models/copied.yml", "models:\n" + "".join(listed) + classes)
    _, results = built.dbt("build", "--select", "copied", "careful")
    built.forget("copied")
    built.forget("careful")
    assert results == {
        "copied": ("success", None),
        "careful": ("success", None),
        "copied_disclosure": ("fail", 1),
        "copied_excess": ("fail", 1),
        "careful_disclosure": ("pass", 0),
        "careful_excess": ("pass", 0),
        "diverse": ("pass", 0),
        "not_diverse": ("fail", 2),
        "close": ("pass", 0),
        "not_close": ("fail", 1),
    }, built.printed


def test_the_verdict_is_that_of_the_page(built):
    """The same tables through `evaluate`: dbt has its level, and passes where it is asked for no less."""
    with synthpriv_sql.connect(str(built.folder / "example.duckdb")) as session:
        verdicts = {
            table: session.evaluate(table, "customers_train", "customers_holdout", key="customer_id").verdict
            for table in ("synthetic_careful", "synthetic_leaky")
        }
    assert [found.level for found in verdicts.values()] == ["good", "bad"]
    asked = """
      - synthpriv.verdict_at_most:
          name: {model}_is_{level}
          arguments:
            train: ref('customers_train')
            holdout: ref('customers_holdout')
            level: {level}
            options: {{key: customer_id}}
          config: {{store_failures: true}}
"""
    tests = []
    for table in verdicts:
        built.write(f"models/judged_{table}.sql", f"SELECT * FROM {{{{ ref('{table}') }}}}")
        listed = "".join(asked.format(model=table, level=level) for level in ("good", "none", "watch", "bad"))
        tests.append(f"  - name: judged_{table}\n    data_tests:{listed}")
    built.write("models/judged_synthetic_leaky.yml", "models:\n" + "".join(tests))
    _, results = built.dbt("build", "--select", "judged_synthetic_careful", "judged_synthetic_leaky")
    for table, found in verdicts.items():
        for rank, level in enumerate(("good", "none", "watch", "bad")):
            passes = LEVELS.index(found.level) <= rank
            assert results[f"{table}_is_{level}"] == (("pass", 0) if passes else ("fail", 1)), built.printed
        built.forget(f"judged_{table}")
    kept = built.query("SELECT level, headline FROM main_dbt_test__audit.synthetic_leaky_is_good")
    assert kept == [("bad", verdicts["synthetic_leaky"].headline)]


def test_the_newest_of_several_releases_is_told_with_those_before(built):
    """A safe table beside a leaky one: who was exposed before is no fault of it, but the verdict is on all of them."""
    for name, rows in (("before", "synthetic_leaky"), ("newest", "synthetic_careful")):
        built.write(f"models/{name}.sql", f"SELECT * FROM {{{{ ref('{rows}') }}}}")
    asked = """
      - synthpriv.{test}:
          name: {model}_{test}
          arguments:
            train: ref('customers_train')
            holdout: ref('customers_holdout')
            releases: [{others}]
            options: {{key: customer_id{options}}}
          config: {{error_if: "{limit}", warn_if: "{limit}"}}
"""
    tests = (
        ("nobody_exposed", "", ">10"),
        ("membership_below", ", attack: agreement", ">0"),
        ("verdict_at_most", "", ">0"),
    )
    models = {"newest": "ref('before')", "before": "ref('newest'), ref('synthetic_careful')"}
    listed = [
        f"  - name: {model}\n    data_tests:"
        + "".join(
            asked.format(test=test, model=model, others=others, options=more, limit=limit)
            for test, more, limit in tests
        )
        for model, others in models.items()
    ]
    built.write("models/newest.yml", "models:\n" + "".join(listed))
    code, results = built.dbt("build", "--select", "before", "newest")
    for model in models:
        built.forget(model)
    assert code == 1
    # Of 200 people who are named, a few are false, and others with each release.
    assert results["newest_nobody_exposed"][0] == "pass", built.printed
    status, exposed = results["before_nobody_exposed"]
    assert (status, exposed > 100) == ("fail", True)
    for model in models:
        assert results[f"{model}_membership_below"] == results[f"{model}_verdict_at_most"] == ("fail", 1), built.printed


def test_a_band_that_is_none_is_refused(built):
    built.write("models/band.sql", "SELECT * FROM {{ ref('synthetic_careful') }}")
    built.write(
        "models/band.yml",
        """
models:
  - name: band
    data_tests:
      - synthpriv.dcr_band:
          name: wrong_band
          arguments: {train: ref('customers_train'), at_least: low}
""",
    )
    built.dbt("build", "--select", "band")
    built.forget("band")
    assert 'at_least is "low", neither high nor medium' in built.printed


def test_errors_of_a_call_name_what_is_wrong(built):
    built.write("models/wrong.sql", "SELECT * FROM synthpriv.dcr('{{ ref(\"customers_train\") }}', 'nowhere')")
    code, results = built.dbt("run", "--select", "wrong")
    built.forget("wrong")
    assert (code, results) == (1, {"wrong": ("error", None)})
    assert '"nowhere", given as train, is neither a table or view here nor a file' in built.printed
