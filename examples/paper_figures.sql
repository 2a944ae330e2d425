-- What the figures of paper_figures.py are drawn from, for any table named "train"
-- in a database on which synthpriv_sql.register(connection) was called.

-- Figure 1: a baseline with every second cell replaced, and how its distances to the original accumulate.
CREATE OR REPLACE TABLE half_replaced AS
FROM synthpriv.baseline('train', p := 0.5, seed := 7);

CREATE OR REPLACE TABLE curve AS
FROM synthpriv.mda_curve('half_replaced', 'train');

CREATE OR REPLACE TABLE areas AS
FROM synthpriv.mda('half_replaced', 'train', threshold := 0.2);

-- Figures 4 and 5: the same forests for all p, and one search for neighbors a p for all thresholds.
CREATE OR REPLACE TABLE sweep AS
FROM synthpriv.baseline_sweep(
  'train',
  p := [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
  threshold := [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
  seed := 7
);
