-- The data of the figures of paper_figures.py, for any table named "train" in a database
-- with the functions of synthpriv_sql.register(connection).

-- Figure 1: a baseline with half of the cells replaced, and the accumulation of its distances to the original.
CREATE OR REPLACE TABLE half_replaced AS
FROM synthpriv.baseline('train', p := 0.5, seed := 7);

CREATE OR REPLACE TABLE curve AS
FROM synthpriv.mda_curve('half_replaced', 'train');

CREATE OR REPLACE TABLE areas AS
FROM synthpriv.mda('half_replaced', 'train', threshold := 0.2);

-- Figures 4 and 5: the same forests for all p; one neighbor search per p serves all thresholds.
CREATE OR REPLACE TABLE sweep AS
FROM synthpriv.baseline_sweep(
  'train',
  p := [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
  threshold := [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
  seed := 7
);
