"""The description of the machine and the versions of a measurement."""

import datetime
import importlib.metadata
import os
import platform
import subprocess
from pathlib import Path


def describe():
    info = Path("/proc/cpuinfo")
    facts = dict(line.split(":", 1) for line in (info.read_text().splitlines() if info.exists() else []) if ":" in line)
    facts = {name.strip(): value.strip() for name, value in facts.items()}
    flags = facts.get("flags", "").split()
    known = ("sse4_2", "avx2", "fma", "avx512f", "avx512bw", "avx512_vnni", "avx512_vbmi", "amx_int8")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": facts.get("model name", platform.processor()),
        "family and model": f"{facts.get('cpu family', '?')}/{facts.get('model', '?')}",
        "cores": os.cpu_count(),
        "memory": f"{memory / 2**30:.0f} GB",
        "instruction sets": " ".join(flag for flag in known if flag in flags),
        "system": f"{platform.system()} {platform.release()}",
    }


def versions():
    names = ("duckdb", "numba", "numpy", "pandas", "pyarrow", "sqlglot")
    return {"python": platform.python_version()} | {name: importlib.metadata.version(name) for name in names}


def now():
    return {"date": datetime.date.today().isoformat(), "commit": _commit(), "machine": describe()}


def _commit():
    """The measured commit; only benchmarks/results/ may have uncommitted changes."""
    changed = _git("status", "--porcelain", "--", ".", ":(exclude)benchmarks/results")
    return _git("rev-parse", "--short", "HEAD") + ("-dirty" if changed else "")


def _git(*words):
    root = Path(__file__).parents[1]
    return subprocess.run(["git", *words], capture_output=True, text=True, check=False, cwd=root).stdout.strip()


def most():
    """The peak memory of this process in bytes (that of getrusage starts with the parent's)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
