"""Takes the picture of the report page that README.md shows: `make picture`. It needs Chromium."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from synthpriv_sql import connect, demo

TARGET = Path(__file__).parent.parent / "docs" / "figures" / "report.png"
SIZE = 1000, 1040

if __name__ == "__main__":
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("make picture needs Chromium: apt-get install chromium")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "report.html")
        with connect() as session:
            demo.create(session.connection)
            session.report(page, "synthetic_spliced", "customers_train", "customers_holdout", key="customer_id")
        options = ["--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={SIZE[0]},{SIZE[1]}"]
        called = [browser, *options, f"--screenshot={TARGET}", page.as_uri()]
        subprocess.run(called, check=True, stderr=subprocess.DEVNULL)  # noqa: S603
    print(TARGET)
