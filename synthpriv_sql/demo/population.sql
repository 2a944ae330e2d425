-- The population that every table of the demo is drawn from: temporary macros, dropped again by tables.sql.
--
-- The draws are integer arithmetic on (seed, record, draw), so that the tables are the same on every version of DuckDB
-- and for any number of threads; hash() and random() promise neither.

-- One round of the finalizer of MurmurHash3 on 32 bits: fold the high bits onto the low ones, multiply.
CREATE TEMP MACRO demo_scatter(bits, shift, factor) AS
    (xor(bits, bits >> shift) * factor) & 4294967295;

-- A pseudo-random number strictly between 0 and 1; its own for each seed, record and draw.
CREATE TEMP MACRO demo_uniform(seed, record, draw) AS (
    demo_scatter(
        demo_scatter(
            CAST(seed * 3266489917 + record * 2654435761 + draw * 2246822519 AS UBIGINT) & 4294967295,
            16, 2246822507
        ),
        13, 3266489909
    ) + 5e-1
) / 4294967296;

-- The first `people` customers that a seed gives, as a bank knows them on 2025-01-01, numbered after `last_id`.
-- Other seeds give other people of the same kind.
CREATE TEMP MACRO demo_population(seed, last_id, people) AS TABLE
WITH
draws AS (
    SELECT
        record,
        demo_uniform(seed, record, 1) AS u_age,
        demo_uniform(seed, record, 2) AS u_gender,
        demo_uniform(seed, record, 3) AS u_region,
        demo_uniform(seed, record, 4) AS u_status,
        demo_uniform(seed, record, 5) AS u_job,
        demo_uniform(seed, record, 6) AS u_income,
        demo_uniform(seed, record, 7) AS u_savings,
        demo_uniform(seed, record, 8) AS u_overdraft,
        demo_uniform(seed, record, 9) AS u_products,
        demo_uniform(seed, record, 10) AS u_active,
        demo_uniform(seed, record, 11) AS u_signup,
        demo_uniform(seed, record, 12) AS u_contacted,
        demo_uniform(seed, record, 13) AS u_contact,
        demo_uniform(seed, record, 14) AS u_referral
    FROM range(1, people + 1) AS numbers(record)
),

-- Where they live and how well a region pays; above..up_to is the region's share of the people.
regions(region, above, up_to, pay) AS (
    VALUES
        ('capital', 0.00, 0.26, 1.25),
        ('harbor',  0.26, 0.43, 1.10),
        ('north',   0.43, 0.58, 1.00),
        ('lakes',   0.58, 0.70, 1.00),
        ('hills',   0.70, 0.80, 0.95),
        ('east',    0.80, 0.89, 0.90),
        ('plains',  0.89, 0.96, 0.90),
        ('islands', 0.96, 1.00, 0.80)
),

-- What the working ones do, and the typical income in it.
jobs(job, above, up_to, typical_income) AS (
    VALUES
        ('sales',       0.00, 0.16, 30000),
        ('office',      0.16, 0.32, 34000),
        ('craft',       0.32, 0.46, 37000),
        ('care',        0.46, 0.58, 32000),
        ('teaching',    0.58, 0.68, 43000),
        ('transport',   0.68, 0.77, 31000),
        ('engineering', 0.77, 0.87, 58000),
        ('management',  0.87, 0.93, 71000),
        ('farming',     0.93, 0.97, 26000),
        ('medicine',    0.97, 1.00, 92000)
),

-- Ages from 18 to 88, more young than old.
aged AS (
    SELECT *, 18 + 70 * u_age * sqrt(u_age) AS age
    FROM draws
),

-- Most of the young study, most of the old are retired, a few are without work; everybody else has a job.
placed AS (
    SELECT
        *,
        CASE
            WHEN age < 24 AND u_status < 0.60 THEN 'student'
            WHEN age > 65 AND u_status < 0.90 THEN 'retired'
            WHEN u_status > 0.95 THEN 'unemployed'
            ELSE job
        END AS occupation
    FROM aged
    INNER JOIN regions ON u_region >= regions.above AND u_region < regions.up_to
    INNER JOIN jobs ON u_job >= jobs.above AND u_job < jobs.up_to
),

-- Income is highest at 50 and skewed: a log-logistic spread around what the occupation, region and age make typical.
earning AS (
    SELECT
        *,
        round(
            CASE occupation
                WHEN 'student' THEN 8000
                WHEN 'unemployed' THEN 12000
                WHEN 'retired' THEN 0.6 * typical_income
                ELSE typical_income
            END
            * pay
            * (1.2 - (age - 50) * (age - 50) / 2500)
            * pow(u_income / (1 - u_income), 0.2),
            2
        ) AS income
    FROM placed
),

-- Savings grow with income and age, and are a lot for a few; some are overdrawn. Who earns more buys more products.
banking AS (
    SELECT
        *,
        round(income * age / 40 * (0.02 + pow(u_savings, 4)) - 1500 * u_overdraft, 2) AS balance,
        CAST(1 + floor(u_products * u_products * (2 + least(income, 100000) / 25000)) AS INTEGER) AS products,
        DATE '2025-01-01' - CAST(floor(365.25 * age) AS INTEGER) AS birth_date,
        CAST(floor(365.25 * least(age - 18, 16) * 86400 * u_signup) AS BIGINT) AS seconds_with_us
    FROM earning
),

-- Whoever has several products is rarely inactive.
active AS (
    SELECT
        *,
        TIMESTAMP '2025-01-01 00:00:00' - to_seconds(seconds_with_us) AS signup,
        u_active < 0.70 + 0.06 * products AS is_active
    FROM banking
)

SELECT
    last_id + record AS customer_id,
    birth_date,
    CASE WHEN u_gender < 0.50 THEN 'female' WHEN u_gender < 0.98 THEN 'male' ELSE 'other' END AS gender,
    region,
    occupation,
    CAST(income AS DECIMAL(12, 2)) AS income,
    balance,
    products,
    is_active,
    signup,
    -- Nobody spoke to a fifth of the active and half of the inactive; to the active the bank spoke lately.
    CASE
        WHEN is_active AND u_contacted < 0.80
            THEN CAST(signup + to_seconds(CAST(floor(seconds_with_us * sqrt(u_contact)) AS BIGINT)) AS DATE)
        WHEN NOT is_active AND u_contacted < 0.50
            THEN CAST(signup + to_seconds(CAST(floor(seconds_with_us * u_contact / 2) AS BIGINT)) AS DATE)
    END AS last_contact,
    -- Unknown for a quarter; the young come by friends and the web, the old by a branch.
    CASE
        WHEN u_referral < 0.25 THEN NULL
        WHEN u_referral < 0.75 - age / 200 THEN 'friend'
        WHEN u_referral < 1.00 - age / 200 THEN 'web'
        ELSE 'branch'
    END AS referral
FROM active;
