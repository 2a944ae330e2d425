"""Entry point of ``python -m synthpriv_sql`` and of spark-submit."""

from synthpriv_sql.cli.commands import main

if __name__ == "__main__":
    main()
