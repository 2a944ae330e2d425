"""``python -m synthpriv_sql`` is the command line; spark-submit takes this file."""

from synthpriv_sql.cli.commands import main

if __name__ == "__main__":
    main()
