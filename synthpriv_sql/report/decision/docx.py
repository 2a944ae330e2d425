"""The decision page as a Word document."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from docx import Document
from docx.shared import Mm, Pt, RGBColor

from synthpriv_sql.report.decision.contents import Decision, choices, headings, letters, pieces
from synthpriv_sql.visible import visible

_TONES = {
    "good": (0x1C, 0x7A, 0x3C),
    "watch": (0x8A, 0x5A, 0x00),
    "bad": (0xB3, 0x26, 0x1E),
    "none": (0x5A, 0x60, 0x6B),
}
_QUIET = (0x5A, 0x60, 0x6B)


def docx(page: Decision) -> bytes:
    """Return the page as .docx, A4."""
    document = Document()
    section = document.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(15)
    section.top_margin = section.bottom_margin = Mm(12)
    normal = document.styles["Normal"]
    normal.font.size, normal.font.name = Pt(8.5), "Arial"
    normal.paragraph_format.space_after = Pt(3)
    normal.paragraph_format.space_before = Pt(0)
    words = headings()
    document.core_properties.title = words.title

    def write(text: str, to: Any = None, size: float = 8.5, **how: Any) -> Any:
        """Add a paragraph, or text to one; the letters of numbers become superscripts."""
        paragraph = document.add_paragraph() if to is None else to
        for piece, mark in pieces(text):
            _add(paragraph, piece, size, **how)
            if mark:
                _add(paragraph, mark, size - 1.5, color=_QUIET).font.superscript = True
        return paragraph

    def table(heads: list[str], lines: list[list[str]], widths: list[float]) -> None:
        made = document.add_table(rows=1, cols=len(heads), style="Table Grid")
        made.autofit = False
        cells = [made.rows[0].cells, *(made.add_row().cells for _ in lines)]
        for place, (row, line) in enumerate(zip(cells, [heads, *lines], strict=True)):
            for cell, text, width in zip(row, line, widths, strict=True):
                cell.width = Mm(width)
                cell.paragraphs[0].paragraph_format.space_after = Pt(1)
                first, *others = text.split("\n")
                write(first, cell.paragraphs[0], 8.5 if place else 7.5, color=None if place else _QUIET)
                for other in others:
                    write(other, cell.add_paragraph(), 6.5, color=_QUIET).paragraph_format.space_after = Pt(0)
        document.add_paragraph().paragraph_format.space_after = Pt(0)

    write(words.title, size=8, color=_QUIET)
    write(page.word, size=8.5, bold=True, color=_TONES[page.level])
    write(page.headline, size=14, bold=True)
    write(" ".join(page.reasons))
    table(
        [words.number, words.found, words.interval, words.otherwise],
        [[f"{row.question}\n{row.name}", row.found, row.interval, row.otherwise] for row in page.rows],
        [78, 26, 32, 44],
    )
    for heading, text in (
        (words.untested, " ".join(page.untested)),
        (words.missed, page.missed),
        (words.steps, " ".join(page.steps)),
        *([(words.remedy, " ".join(page.remedy))] if page.remedy else []),
    ):
        write(f" {text}", write(heading, bold=True))
    table(
        [words.table, f"{words.name}, {words.hash}", words.records],
        [[role, f"{name}\n{hashed}", rows] for role, name, rows, hashed in page.tables],
        [22, 130, 28],
    )
    write(" ".join(f"{name}: {value}" for name, value in page.run), size=7.5, color=_QUIET)
    write(words.decision, size=10, bold=True)
    write("     ".join(f"☐ {choice}" for choice in choices())).paragraph_format.space_after = Pt(16)
    for line in page.attested:
        write(f"{line}: {'_' * 40}", size=8)
    write("   ".join(f"{word}: {'_' * 26}" for word in words.signature), size=8)
    named = "; ".join(f"{letters(place)} {name}" for place, name in enumerate(page.names, 1))
    write(f"{words.names} {named}", size=6.5, color=_QUIET)
    written = BytesIO()
    document.save(written)
    return written.getvalue()


def _add(
    paragraph: Any, text: str, size: float, *, bold: bool = False, color: tuple[int, int, int] | None = None
) -> Any:
    run = paragraph.add_run(visible(text))
    run.font.size, run.font.bold = Pt(size), bold
    if color is not None:
        run.font.color.rgb = RGBColor(*color)
    return run
