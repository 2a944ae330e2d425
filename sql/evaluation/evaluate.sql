/*
summary = "All measures of a synthetic table: one number in each row, with its direction and its meaning."
source = "The functions exposure, membership, split_check, identifiers, copies, holdout_share, dcr_summary, nndr_summary, comparison, screen, mda and discernibility; where asked for, those of disclosure, anonymity and identifiability."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "attack.hints", "distance", "unit", "sequence", "seed"]
units = ["train", "holdout"]
asks = ["disclosure", "anonymity", "attribute_inference", "linkability"]
order = ["position", "variant", "place"]

[parameters]
synthetic = { type = "relation", each = true, doc = "the synthetic table; or several by name (or a list of names): each is then measured separately, and its name is in the first column" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }
quasi_identifiers = { type = "names", optional = true, doc = "columns that together may identify a person; adds discernibility" }
targets = { type = "names", optional = true, doc = "what somebody would learn who knows the quasi-identifiers; adds disclosure" }
sensitive = { type = "names", optional = true, doc = "what nobody should learn of a class of the quasi-identifiers; adds anonymity and reidentification" }
known = { type = "names", optional = true, doc = "what an attacker knows of a person, beside secrets or other" }
secrets = { type = "names", optional = true, doc = "what he would learn from the nearest record; adds attribute_inference" }
other = { type = "names", optional = true, doc = "what another source knows; adds linkability" }
risks = { type = "boolean", default = false, doc = "add the risks of records that need no further columns: identifiability, hit_rate, adversarial_accuracy and singling_out" }
k = { type = "integer", optional = true, minimum = 1, beside = "quasi_identifiers", doc = "smallest equivalence class allowed" }
threshold = { type = "numbers", default = 0.2, above = 0, below = 1, doc = "thresholds of minimum distance accumulation" }
statistic = { type = "text", default = "median", choices = ["median", "mean"], doc = "what the comparison compares" }
normalizer = { type = "number", optional = true, above = 0, doc = "what distances are divided by in minimum distance accumulation, to compare several runs" }
attack = { type = "names", default = ["distance", "density", "agreement", "agreement_near", "uniques", "learned"], choices = ["all", "distance", "ratio", "density", "agreement", "agreement_near", "uniques", "learned", "own"], beside = { own = "scores" }, doc = "attacks that try to tell who was in train" }
named_by = { type = "names", default = ["uniques", "learned"], choices = ["distance", "ratio", "density", "agreement", "agreement_near", "uniques", "learned", "own"], beside = { own = "scores" }, doc = "attacks whose names count; they share false_discovery" }
false_discovery = { type = "number", default = 0.05, above = 0, below = 1, doc = "as in exposure" }
identifiers = { type = "text", default = "warn", choices = ["warn", "exclude", "compare"], doc = "columns that look as if they named records: compare them and say so, leave them out, or compare them without looking" }
children = { type = "families", optional = true, doc = "child tables by name, each as [synthetic, train, holdout, key]. Evaluated in turn are the parents alone, aggregates of their children (flatten), both, and the rows of the children; the first column, part, says which" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of your own attacks: one row with a finite number in the column score for each record of train and of the holdout. A record is identified by side and record, by record alone (train followed by the holdout), or by the key. With several attacks, the column attack has their names; a single one is called own" }

[columns]
section = "VARCHAR: exposure, membership, split, tables, identifiers, holdout, copies, holdout_share, dcr, nndr, comparison, screen, mda, discernibility; where asked for: disclosure, anonymity, reidentification, attribute_inference, linkability, identifiability, hit_rate, adversarial_accuracy, singling_out"
metric = "VARCHAR: as the section, or which of its metrics"
variant = "VARCHAR: which tables, baseline or threshold; NULL where there is one only"
statistic = "VARCHAR"
value = "DOUBLE; a band is 3 for high, 2 for medium, 1 for low expected privacy"
lower = "DOUBLE, lower end of a 95 % interval where there is one"
upper = "DOUBLE, upper end"
better = "VARCHAR: higher or lower, where one of the two means more privacy (for resemblance: more use)"
meaning = "VARCHAR, what the number says"
*/
-- A section is a file of its own: its numbers, each beside words on what it is and whether higher or lower is better.
WITH numbers AS (
  SELECT * FROM evaluated_exposure(
    synthetic := synthetic, train := train, holdout := holdout, named_by := $named_by, false_discovery := $false_discovery,
    scores := scores
  )
  UNION ALL
  SELECT * FROM evaluated_membership(
    synthetic := synthetic, train := train, holdout := holdout, attack := $attack, scores := scores
  )
  WHERE $holdout IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_split(synthetic := synthetic, train := train, holdout := holdout)
  WHERE $holdout IS NOT NULL
  UNION ALL
  SELECT * FROM evaluated_tables(synthetic := synthetic, train := train, holdout := holdout)
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
  UNION ALL
  SELECT * FROM evaluated_distances(synthetic := synthetic, train := train, holdout := holdout)
  UNION ALL
  SELECT * FROM evaluated_comparison(
    synthetic := synthetic, train := train, holdout := holdout, statistic := $statistic
  )
  UNION ALL
  SELECT * FROM evaluated_screen(synthetic := synthetic, train := train, holdout := holdout)
  UNION ALL
  SELECT * FROM evaluated_mda(
    synthetic := synthetic, train := train, threshold := $threshold, normalizer := $normalizer
  )
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
  WHERE $secrets IS NOT NULL
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
