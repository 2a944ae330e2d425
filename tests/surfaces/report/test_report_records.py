"""What the report page calls records: their key, their number, their row in Excel; and the page of the command line."""

import numpy as np
import pyarrow as pa
import pytest
from calls import cli, create

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")

from test_report import QUICK, Page, people, written

from synthpriv_sql.planner.headers.files import CsvFile
from synthpriv_sql.report.build import _sheets
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.writing import breakable


@pytest.mark.nightly
def test_the_command_line_writes_it(tmp_path):
    files = []
    for name, seed in (("synthetic", 1), ("train", 2)):
        path = tmp_path / f"{name}.csv"
        path.write_text("x\n" + "\n".join(map(str, np.random.default_rng(seed).normal(size=30))))
        files += [f"--{name}", str(path)]
    for command in ("report", "evaluate"):
        path = tmp_path / f"{command}.html"
        assert cli(command, *files, "--html", str(path))[0] == 0
        assert Page(path.read_text()).all("svg")


@pytest.mark.nightly
def test_records_are_called_by_their_key(shared, tmp_path):
    keyed = people(30, 1).append_column("member_id", pa.array([f"m{i}" for i in range(30)]))
    create(shared, keyed=keyed, strangers=people(30, 2))
    page, _ = written(shared, tmp_path, "keyed", "keyed", "strangers", key="member_id", **QUICK)
    assert "Records are named by their member_id" in page.shown()
    assert ">m3<" in page.text
    page, _ = written(shared, tmp_path, "strangers", "keyed", key="member_id")
    assert "named by their member_id in train, and by their position" in page.shown()


def test_a_name_breaks_after_underscores():
    assert str(breakable("a__long_<b>.c")) == "a__<wbr>long_<wbr>&lt;b&gt;.<wbr>c"


def test_records_count_from_1_and_stand_beside_their_row_in_excel(tmp_path):
    assert Measured([]).called("train", 0) == "1"
    assert Measured([], {"train": 2}).called("train", 1_233) == "1,234 (Excel: 1,235)"
    key = {"item": "key", "side": "train", "record": 0, "key": "m7"}
    assert Measured([key], {"train": 2}).called("train", 0) == "m7"
    headed, bare = tmp_path / "headed.csv", tmp_path / "more.csv"
    headed.write_text("x\n1\n")
    bare.write_text("1\n")
    assert _sheets({"synthetic": str(headed), "train": "train"}, ["x"]) == {"synthetic": 2}
    assert _sheets({"synthetic": str(tmp_path / "*.csv"), "train": str(bare)}, ["column0"]) == {"train": 1}
    said = CsvFile(str(bare), {"header": True, "skip": 3})
    assert _sheets({"train": said}, ["column0"]) == {"train": 5}
    assert _sheets({"synthetic": pa.table({}), "train": tmp_path / "a.parquet"}, ["x"]) == {}
