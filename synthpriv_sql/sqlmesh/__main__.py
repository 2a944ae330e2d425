"""Prints the folder of the audits: ``cp $(python -m synthpriv_sql.sqlmesh)/*.sql audits/``."""

from pathlib import Path

print(Path(__file__).parent / "audits")
