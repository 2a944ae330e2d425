"""A notebook, run in a kernel of its own without ipywidgets: results show once, a bar is drawn, Ctrl-C comes back."""

import importlib.util
import sys

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

pytestmark = pytest.mark.slow

CELLS = {
    "connect": """
import synthpriv_sql
session = synthpriv_sql.connect()
for name in ("synthetic", "train"):
    session.connection.execute(f"CREATE TABLE {name} AS SELECT i % 7 AS a, i % 11 AS b FROM range(500) AS r(i)")""",
    "show": 'session.comparison("synthetic", "train")',
    "records": 'session.dcr("synthetic", "train")',
    "print": 'print(session.copies("synthetic", "train"))',
    "progress": 'session.comparison("synthetic", "train", progress=True)',
    "counting": 'session.scaling("train", progress=True)["count"]',
    "register": "import duckdb; synthpriv_sql.register(duckdb.connect()).scaling('(SELECT 1 AS x)')['count']",
}


class Kernel(AsyncKernelManager):
    """A kernel of this very Python, which nothing has to be installed for."""

    @property
    def kernel_spec(self):
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=argv, language="python", display_name="here")


class Client(NotebookClient):
    """Remembers what a cell has displayed, also what was drawn over."""

    drawn: list

    def process_message(self, msg, cell, cell_index):
        if msg["msg_type"] in {"display_data", "update_display_data"}:
            self.drawn.append(msg["content"]["data"].get("text/html", ""))
        return super().process_message(msg, cell, cell_index)


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    assert importlib.util.find_spec("ipywidgets") is None, "the test is about a notebook without ipywidgets"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS.values()])
    client = Client(notebook, timeout=240, kernel_manager_class=Kernel)
    client.drawn = []
    client.execute(cwd=str(tmp_path_factory.mktemp("notebook")))
    return dict(zip(CELLS, notebook.cells, strict=True)), client.drawn


def outputs(cell, kind):
    return [output for output in cell.outputs if output.output_type == kind]


@pytest.mark.parametrize("name", ["show", "records"])
def test_a_result_shows_once(ran, name):
    (output,) = outputs(ran[0][name], "execute_result")
    assert output.data["text/html"].count("<table") == 1
    assert outputs(ran[0][name], "display_data") == []
    # The first search is said to be compiled, where it has to be.
    assert all(output.name == "stderr" for output in outputs(ran[0][name], "stream"))


def test_a_result_is_printed_once(ran):
    (output,) = outputs(ran[0]["print"], "stream")
    assert output.text.count("copies") == 1
    assert "… 480 more rows: to_pandas()" in output.text


def test_a_bar_is_drawn_and_taken_away(ran):
    cells, drawn = ran
    bars = [html for html in drawn if html.startswith("<progress")]
    assert any('<progress value="1.000"></progress> 100%' in html for html in bars)
    (left,) = outputs(cells["progress"], "display_data")
    assert left.data["text/html"] == ""
    assert "install" not in str(cells["progress"].outputs)
    assert outputs(cells["counting"], "execute_result")[0].data["text/plain"] == "[500, 500]"


def test_a_connection_of_ones_own(ran):
    assert outputs(ran[0]["register"], "execute_result")[0].data["text/plain"] == "[1]"
