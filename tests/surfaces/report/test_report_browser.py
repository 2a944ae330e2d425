"""The report page in a real browser: Debian's Chromium, started without a screen."""

import re
import shutil
import subprocess

import pyarrow as pa
import pytest
from calls import create
from playwright import sync_api
from test_report import people

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")]
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SIZES = {"desk": (1280, 900), "phone": (390, 844)}


@pytest.fixture(scope="module")
def address(shared, tmp_path_factory):
    path = tmp_path_factory.mktemp("browser") / "report.html"
    made = pa.concat_tables([people(60, 3), people(6, 1)])
    create(shared, seen=pa.concat_tables([people(60, 4), people(6, 1)]), unseen=people(60, 2), made=made)
    shared.report(path, "made", "seen", "unseen", quasi_identifiers=["age", "member"], k=2, show_values=True)
    return path.as_uri()


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield opened
        opened.close()


@pytest.fixture
def visit(browser, address):
    """Open the page; at the end, nothing was complained of and nothing was asked of a network."""
    complaints, requests, pages = [], [], []

    def visit(size="desk", **options):
        width, height = SIZES[size]
        page = browser.new_page(viewport={"width": width, "height": height}, **options)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(address)
        pages.append(page)
        return page

    yield visit
    for page in pages:
        page.close()
    assert complaints == []
    assert {request for request in requests if not request.startswith("data:")} == {address}


@pytest.mark.parametrize("size", SIZES)
def test_all_is_there_and_nothing_sticks_out(visit, size):
    page = visit(size)
    assert page.locator("h1").is_visible()
    shown = page.locator(".chart svg:visible")
    assert shown.count() == page.locator(".chart").count() == 12
    width, _ = SIZES[size]
    for drawing in shown.all():
        box = drawing.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["height"] > 80
    assert page.evaluate("document.documentElement.scrollWidth") == width
    for summary in page.locator("summary:visible").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_numbers_of_a_person_stand_in_one_line_on_a_phone(visit):
    page = visit("phone")
    rows = page.eval_on_selector_all(
        ".risks > tbody > tr",
        "rows => rows.map(row => [...row.querySelectorAll(':scope > .n')].map(it => it.getBoundingClientRect().top))",
    )
    assert max(len(tops) for tops in rows) == 5  # with the q-value
    assert all(len(set(tops)) == 1 for tops in rows)


def test_labels_of_charts_are_large_enough_on_a_phone(visit):
    page = visit("phone")
    # The label of a median stands above the bars.
    apart = page.evaluate("""[...document.querySelectorAll("[data-chart=dcr] .narrow text")]
        .filter(text => text.textContent.startsWith("median")).map(text => {
          const bars = [...text.closest("svg").querySelectorAll("path[aria-roledescription=bar]")];
          const label = text.getBoundingClientRect();
          return bars.map(bar => bar.getBoundingClientRect()).filter(bar => bar.height && bar.left < label.right &&
            bar.right > label.left && bar.top < label.bottom - 2 && bar.bottom > label.top + 2).length;
        })""")
    assert apart
    assert set(apart) == {0}
    sizes = page.eval_on_selector_all(
        ".chart .narrow svg",
        "all => all.map(svg => 12 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)",
    )
    assert min(sizes) >= 11


def test_light_and_dark_follow_the_system_and_then_the_reader(visit):
    page = visit(color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.click("#theme")
    assert page.locator("html").get_attribute("data-theme") == "light"
    light = page.evaluate(ground)
    assert light != dark
    page.click("#theme")
    assert page.evaluate(ground) == dark
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.click("#theme")
    assert page.locator("html").get_attribute("data-theme") is None
    assert visit(color_scheme="light").evaluate(ground) == light


def test_colors_reach_the_charts(visit):
    marks = ".chart svg:visible [aria-label^='Synthetic']"
    light, dark = (
        visit(color_scheme=scheme).locator(marks).first.evaluate("mark => getComputedStyle(mark).fill")
        for scheme in ("light", "dark")
    )
    assert light.startswith("rgb(")
    assert light != dark
    # Axes, labels and legends: nothing is black on dark.
    fills = visit(color_scheme="dark").eval_on_selector_all(
        ".chart svg:not(.narrow *) text", "all => all.map(text => getComputedStyle(text).fill)"
    )
    assert "rgb(0, 0, 0)" not in fills


def test_the_keyboard_reaches_everything_that_can_be_used(visit):
    page = visit()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    usable = page.locator("a:visible, button:visible, summary:visible, input:visible, [tabindex='0']:visible").count()
    reached = set()
    for _ in range(usable + 5):
        place = page.evaluate("[...document.querySelectorAll('*')].indexOf(document.activeElement)")
        reached.add(place)
        page.keyboard.press("Tab")
    assert len(reached) >= usable


def test_the_threshold_moves_by_keyboard(visit):
    page = visit()
    before = page.locator("#privacy").inner_text()
    shaded = ".chart svg:visible .below_marks path"
    clip = page.locator(shaded).evaluate("path => getComputedStyle(path).clipPath")
    page.focus("#threshold")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    assert page.locator("#threshold-value").inner_text() == "0.5"
    assert page.locator("#privacy").inner_text() != before
    page.wait_for_timeout(300)
    assert page.locator(shaded).evaluate("path => getComputedStyle(path).clipPath") != clip


def test_sql_opens_by_a_link_and_is_copied(visit):
    page = visit()
    page.click(".chips a[href='#sql-holdout_share']")
    code = page.locator("#sql-holdout_share .code").first
    code.wait_for(state="visible")
    assert "synthpriv.holdout_share" in code.locator("code").inner_text()
    code.locator("button").click()
    # The clipboard answers when it likes.
    code.locator("button", has_text=re.compile("^(Copied|Selected)$")).wait_for(state="visible")
    assert "synthpriv.holdout_share" in page.evaluate("getSelection().toString()")


def test_marks_say_what_they_stand_for(visit):
    page = visit()
    page.locator(".chart svg:visible [aria-label*='closer to train']").first.hover()
    assert "records closer to train" in page.locator("#tip").inner_text()


def test_it_reads_without_javascript(browser, address):
    page = browser.new_page(java_script_enabled=False)
    page.goto(address)
    assert page.locator(".chart svg:visible").count() == 12
    assert not page.locator("#theme").is_visible()
    page.close()


def test_it_prints(visit):
    page = visit()
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator(".chart .wide svg").first.is_visible()
    assert not page.locator("nav").is_visible()
    # What is folded on the screen is there on paper, but for the SQL and what fills pages.
    assert page.locator(".values table").first.is_visible()
    for useless in ("details.sql pre", "#sql", ".values > summary", "#numbers table.all", "#mda table"):
        assert not page.locator(useless).first.is_visible()
    # Nothing that is looked at as one is cut by the end of a page: 297 mm less the margins, at 96 to the inch.
    for whole in (
        ".chart",
        ".finding",
        ".risks > tbody > tr",
        ".values tr",
        "figure:has(.chart)",
    ):
        of = page.locator(whole).first
        assert of.evaluate("it => getComputedStyle(it).breakInside") == "avoid"
    tallest = "Math.max(...[...document.querySelectorAll('figure')].map(it => it.getBoundingClientRect().height))"
    assert page.evaluate(tallest) < (297 - 28) / 25.4 * 96
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.pdf().startswith(b"%PDF")
    assert page.locator("details[open]").count() == 0


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="no pdftotext on this machine")
def test_the_first_printed_page_stands_alone(visit, tmp_path):
    path, page = tmp_path / "page.pdf", visit()
    # What values of records add, which are shown where they are asked for alone.
    page.evaluate(
        "document.querySelectorAll('.values, figure:has([data-chart=scatter])').forEach(added => added.remove())"
    )
    page.pdf(path=path, prefer_css_page_size=True, print_background=True)
    text = subprocess.run(["pdftotext", str(path), "-"], check=True, capture_output=True, text=True).stdout
    pages = text.rstrip("\f").split("\f")
    assert len(pages) <= 13
    first = " ".join(pages[0].split())
    assert "Distance to the closest record (DCR)" in first
    assert "Who can be identified as a member of the training data?" not in first
    assert " ".join(pages[1].split()).startswith("Who can be identified as a member of the training data?")
    assert "membership.noticed" not in text
    assert "Ask the engineer for the file of numbers" in " ".join(text.split())
