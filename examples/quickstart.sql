-- The same as quickstart.py in SQL, on a connection with the functions and with the tables of the demo:
--
--     synthpriv demo --database demo.duckdb
--     python -c 'import synthpriv_sql; session = synthpriv_sql.connect("demo.duckdb"); print(session.connection.sql(open("examples/quickstart.sql").read()))'

CREATE OR REPLACE TABLE shares AS
SELECT 'synthetic_careful' AS synthetic, *
FROM synthpriv.holdout_share('synthetic_careful', 'customers_train', 'customers_holdout', key := 'customer_id')
WHERE depth = 'all'
UNION ALL
SELECT 'synthetic_leaky' AS synthetic, *
FROM synthpriv.holdout_share('synthetic_leaky', 'customers_train', 'customers_holdout', key := 'customer_id')
WHERE depth = 'all';

CREATE OR REPLACE TABLE cleaned AS
FROM synthpriv.safe('synthetic_leaky', 'customers_train', holdout := 'customers_holdout', key := 'customer_id', copies_only := true);

SELECT
    synthetic,
    closer,
    further,
    share,
    lower > expected AS leaks,
    (SELECT count(*) FROM cleaned) AS cleaned
FROM shares
ORDER BY synthetic;
