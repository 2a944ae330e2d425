/*
summary = "The verdict on a synthetic table, and the numbers behind it: one per row, with its direction and meaning."
source = "The functions exposure, membership, split_check, within, replay, identifiers, copies, holdout_share, dcr_summary, nndr_summary, comparison, screen, mda and discernibility; on request, those of disclosure, anonymity and identifiability."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "attack.hints", "distance", "unit", "sequence", "seed", "release", "spending"]
reads.units = ["synthetic", "train", "holdout"]
reads.common = true
run.asks = ["disclosure", "anonymity", "attribute_inference", "linkability"]
order = ["position", "variant", "place"]
run.sets = { lenient = true, judged_apart = true, most = 100_000, controlled = true, by_column = false, noted = false, released = "alone", released_of = ["each"] }
run.asks_before = { identifiers = "identifiers", row_numbers = "numbering_columns" }
gives.result = "Evaluation"
gives.sentences = true
example = { synthetic = "synthetic", train = "train", holdout = "holdout", key = "id", quasi_identifiers = ["city"] }
tables = ["synthetic", "train", "holdout?"]

[parameters]
synthetic = { each = true, doc = "the synthetic table; or several by name (or a list of names): each is then measured separately, and its name is in the first column" }
quasi_identifiers = { type = "names", optional = true, doc = "columns that together may identify a person; adds discernibility" }
targets = { type = "names", optional = true, doc = "columns that an attacker who knows the quasi-identifiers wants to learn; adds disclosure" }
sensitive = { type = "names", optional = true, doc = "columns whose values should stay confidential within classes of the quasi-identifiers; adds anonymity and reidentification" }
known = { type = "names", optional = true, doc = "columns that an attacker knows of a person, or all but the secrets; used with secrets or other. With secrets := all it may be left out: each column is then inferred from all others, by a model" }
secrets = { type = "names", optional = true, doc = "columns that the attacker wants to learn, from the nearest record and by a model trained on synthetic, or all; adds attribute_inference" }
other = { type = "names", optional = true, doc = "columns that a second source knows; adds linkability" }
risks = { type = "boolean", default = false, doc = "add the measures that need no further columns: identifiability, hit_rate, adversarial_accuracy and singling_out" }
k = { type = "integer", optional = true, minimum = 1, beside = "quasi_identifiers", doc = "smallest equivalence class allowed" }
threshold = { type = "numbers", default = 0.2, above = 0, below = 1, doc = "thresholds of minimum distance accumulation" }
statistic = { type = "text", default = "median", choices = ["median", "mean"], doc = "the statistic that comparison compares" }
normalizer = { type = "number", optional = true, above = 0, doc = "the value that distances are divided by in minimum distance accumulation, to compare several runs" }
attack = { type = "names", default = ["distance", "density", "agreement", "agreement_near", "uniques", "learned"], choices = ["all", "distance", "ratio", "density", "agreement", "agreement_near", "uniques", "learned", "own"], beside = { own = "scores" }, doc = "membership attacks" }
named_by = { type = "names", default = ["uniques", "learned"], choices = ["distance", "ratio", "density", "agreement", "agreement_near", "uniques", "learned", "own"], beside = { own = "scores" }, doc = "attacks whose identified members count in exposure; they share false_discovery" }
false_discovery = { type = "number", default = 0.05, above = 0, below = 1, doc = "as in exposure" }
tolerance = { type = "number", default = 0.02, minimum = 0, below = 0.5, doc = "what a significant finding must reach beyond chance to count as a leak: in an attack's AUC or a depth's share; as much for the share of people found at 1 % false positives, half as much for that of people with a trace" }
identifiers = { type = "text", default = "warn", choices = ["warn", "exclude", "compare"], doc = "how to treat columns that look like identifiers: compare them with a warning, exclude them, or compare them without checking; numbers of rows, and keys of which the tables share none, are left out except by compare" }
children = { type = "families", optional = true, doc = "child tables by name, each as [synthetic, train, holdout, key]; a key visits.visit names children of the table visits. In turn: the parents alone, aggregates of their children (flatten), both, and the rows of the children; the first column, part, says which" }
sample = { type = "integer", own = true, optional = true, minimum = 200, doc = "evaluate only so many records of each table, drawn at random with the seed, or so many persons with unit: faster for large tables. The verdict says what such a sample cannot find" }
effort = { type = "text", optional = true, choices = ["quick", "full"], doc = "quick leaves out what the verdict does not need, and scores at most 20,000 people of each side by learned, 100,000 by distance and by agreement (docs/limits.md); full has everything. By default quick where it takes over 10 minutes" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of your own attacks: one finite score per record of train and the holdout, identified by side and record, by record alone (train, then the holdout), or by the key; attack names several attacks, a single one is own" }

[columns]
section = """VARCHAR: exposure, releases (if given), exposure_by, remedy, membership, split, within, replay, dimensions, tables, scope, identifiers, holdout, copies, \
  holdout_share, dcr, nndr, comparison, screen, mda, discernibility; on request: disclosure, anonymity, reidentification, \
  attribute_inference, linkability, identifiability, hit_rate, adversarial_accuracy, singling_out"""
metric = "VARCHAR: the name of the section, or one of its metrics"
variant = "VARCHAR: the tables, baseline or threshold; NULL if there is only one"
statistic = "VARCHAR"
value = "DOUBLE; bands are 3 for high, 2 for medium, 1 for low expected privacy"
lower = "DOUBLE, lower end of a 95 % interval, if there is one"
upper = "DOUBLE, upper end"
better = "VARCHAR: higher or lower, if that means more privacy (for resemblance: more utility)"
meaning = "VARCHAR, what the number means"
*/
-- Each section is a separate file: its numbers, with their meaning and whether higher or lower is better.
WITH numbers AS (
  SELECT * FROM evaluated_exposure(
    synthetic := synthetic, train := train, holdout := holdout, attack := $attack, named_by := $named_by,
    false_discovery := $false_discovery, scores := scores
  )
  UNION ALL
  SELECT * FROM evaluated_releases(
    synthetic := synthetic, train := train, holdout := holdout, attack := $attack, named_by := $named_by,
    false_discovery := $false_discovery, scores := scores, released := 'union'
  )
  WHERE $releases IS NOT NULL AND $holdout IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_sets(synthetic := synthetic, train := train, holdout := holdout, released := 'union')
  WHERE $releases IS NOT NULL AND $holdout IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_exposure_by(
    synthetic := synthetic, train := train, holdout := holdout, named_by := $named_by, false_discovery := $false_discovery,
    scores := scores
  )
  WHERE $holdout IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_remedy(
    synthetic := synthetic, train := train, holdout := holdout, named_by := $named_by, false_discovery := $false_discovery
  )
  WHERE $holdout IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_membership(
    synthetic := synthetic, train := train, holdout := holdout, attack := $attack, scores := scores
  )
  WHERE $holdout IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_split(synthetic := synthetic, train := train, holdout := holdout)
  WHERE $holdout IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_within(synthetic := synthetic, train := train, holdout := holdout)
  UNION ALL
  SELECT * FROM evaluated_replay(synthetic := synthetic, train := train, holdout := holdout)
  UNION ALL
  SELECT * FROM evaluated_near(synthetic := synthetic, train := train, holdout := holdout)
  WHERE $holdout IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_sets(synthetic := synthetic, train := train, holdout := holdout)
  WHERE $holdout IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_tables(synthetic := synthetic, train := train, holdout := holdout, drawn := $sample)
  UNION ALL
  SELECT * FROM evaluated_scope(synthetic := synthetic, tolerance := $tolerance, effort := $effort)
  UNION ALL
  SELECT * FROM evaluated_identifiers(synthetic := synthetic, train := train, holdout := holdout)
  WHERE $identifiers <> 'compare'
  UNION ALL
  SELECT * FROM evaluated_holdout(train := train, holdout := holdout)
  WHERE $holdout IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_copies(synthetic := synthetic, train := train, holdout := holdout)
  UNION ALL
  SELECT * FROM evaluated_holdout_share(synthetic := synthetic, train := train, holdout := holdout)
  WHERE $holdout IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_dimensions(train := train)
  WHERE $effort IS NULL OR $effort <> 'quick'
  UNION ALL
  SELECT * FROM evaluated_distances(synthetic := synthetic, train := train, holdout := holdout)
  WHERE $effort IS NULL OR $effort <> 'quick'
  UNION ALL
  SELECT * FROM evaluated_comparison(
    synthetic := synthetic, train := train, holdout := holdout, statistic := $statistic
  )
  WHERE $effort IS NULL OR $effort <> 'quick'
  UNION ALL
  SELECT * FROM evaluated_screen(synthetic := synthetic, train := train, holdout := holdout)
  UNION ALL
  SELECT * FROM evaluated_mda(
    synthetic := synthetic, train := train, threshold := $threshold, normalizer := $normalizer
  )
  WHERE $effort IS NULL OR $effort <> 'quick'
  UNION ALL
  SELECT * FROM evaluated_discernibility(synthetic := synthetic, train := train, k := $k)
  WHERE $quasi_identifiers IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_disclosure(
    synthetic := synthetic, train := train, holdout := holdout, quasi_identifiers := $quasi_identifiers, targets := $targets
  )
  WHERE $targets IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_anonymity(
    synthetic := synthetic, train := train, holdout := holdout, quasi_identifiers := $quasi_identifiers, sensitive := $sensitive
  )
  WHERE $sensitive IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_inference(
    synthetic := synthetic, train := train, holdout := holdout, known := $known, secrets := $secrets
  )
  WHERE $secrets IS NOT NULL AND $known IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_trained(
    synthetic := synthetic, train := train, holdout := holdout, known := $known, secrets := $secrets,
    false_discovery := $false_discovery
  )
  WHERE $secrets IS NOT NULL AND $holdout IS NOT NULL AND $unit IS NULL AND $dialect <> 'spark'
  UNION ALL
  SELECT * FROM evaluated_linkability(
    synthetic := synthetic, train := train, holdout := holdout, known := $known, other := $other
  )
  WHERE $other IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_risks(synthetic := synthetic, train := train, holdout := holdout)
  WHERE $risks
)
SELECT section, position, metric, variant, statistic, place, value, lower, upper, better, meaning
FROM numbers
