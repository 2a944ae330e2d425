cd /tmp/w/officer; export PYTHONPATH=$PWD:$PWD/tests/plugins:$PWD/tests/helpers; export PY=/work/main/.venv/bin/python F=/tmp/w/files/officer PYTHONDONTWRITEBYTECODE=1
pdf() { chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf=$2 $1 2>/dev/null; pdfinfo $2 | grep Pages; }
shot() { chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=${3:-1200,1600} --screenshot=$2 $1 2>/dev/null; }
