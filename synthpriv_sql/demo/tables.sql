-- The five tables of the demo, 5,000 customers each. They stand in the order of customer_id.

-- The real customers: those that the synthesizer saw, and those that it never saw.
CREATE TABLE customers_train AS
FROM demo_population(1, 100000, 5000)
ORDER BY customer_id;

CREATE TABLE customers_holdout AS
FROM demo_population(2, 200000, 5000)
ORDER BY customer_id;

-- A careful synthesizer: it learned how the columns hang together and draws new people; no real record is used.
CREATE TABLE synthetic_careful AS
FROM demo_population(3, 300000, 5000)
ORDER BY customer_id;

-- A synthesizer that leaks: 16 % of its records are real customers as they are, 24 % are real customers with a small
-- change or two, and the rest are new people. The new customer_id hides it from a glance.
CREATE TABLE synthetic_leaky AS
WITH
invented AS (
    FROM demo_population(4, 400000, 5000)
),

-- For each record its fate, and the real customer that it may come from.
fates AS (
    SELECT
        400000 + record AS new_id,
        100000 + 1 + CAST(floor(5000 * demo_uniform(5, record, 1)) AS INTEGER) AS old_id,
        demo_uniform(5, record, 2) AS u_fate,
        demo_uniform(5, record, 3) AS u_income,
        demo_uniform(5, record, 4) AS u_second
    FROM range(1, 5001) AS numbers(record)
),

copied AS (
    SELECT customers_train.* REPLACE (new_id AS customer_id)
    FROM customers_train
    INNER JOIN fates ON customer_id = old_id
    WHERE u_fate < 0.16
),

-- Up to 2 % more income, and for half of them one product more.
altered AS (
    SELECT customers_train.* REPLACE (
        new_id AS customer_id,
        CAST(income + round(1 + CAST(income AS DOUBLE) * 0.02 * u_income, 2) AS DECIMAL(12, 2)) AS income,
        CASE WHEN u_second < 0.5 THEN products + 1 ELSE products END AS products
    )
    FROM customers_train
    INNER JOIN fates ON customer_id = old_id
    WHERE u_fate >= 0.16 AND u_fate < 0.40
),

new AS (
    SELECT invented.*
    FROM invented
    INNER JOIN fates ON customer_id = new_id
    WHERE u_fate >= 0.40
)

FROM copied
UNION ALL
FROM altered
UNION ALL
FROM new
ORDER BY customer_id;

-- A synthesizer that leaks unseen by distances: new people all of them, but 40 % have the income and the balance of a real
-- customer of the same occupation, to the cent. Nobody is copied, or nearer to a real customer than people are.
CREATE TABLE synthetic_spliced AS
WITH
invented AS (
    SELECT people.*, demo_uniform(7, customer_id - 500000, 1) AS u_fate, demo_uniform(7, customer_id - 500000, 2) AS u_donor
    FROM demo_population(6, 500000, 5000) AS people
),

donors AS (
    SELECT
        occupation,
        income AS donated_income,
        balance AS donated_balance,
        row_number() OVER (PARTITION BY occupation ORDER BY customer_id) AS place,
        count(*) OVER (PARTITION BY occupation) AS places
    FROM customers_train
)

SELECT invented.* EXCLUDE (u_fate, u_donor) REPLACE (
    coalesce(donated_income, income) AS income,
    coalesce(donated_balance, balance) AS balance
)
FROM invented
LEFT JOIN donors
    ON u_fate < 0.40
    AND invented.occupation = donors.occupation
    AND place = 1 + CAST(floor(places * u_donor) AS BIGINT)
ORDER BY customer_id;

DROP MACRO TABLE demo_population;
DROP MACRO demo_uniform;
DROP MACRO demo_scatter;
