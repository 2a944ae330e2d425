/*
summary = "Compares several synthetic tables in utility and privacy, and marks those that another one dominates in both."
source = "Fidelity: fidelity_summary; detection: detection; attacks: membership; people: exposure; dominance: Pareto, Manuale di economia politica (1906)."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "distance", "unit", "seed", "release", "spending", "forest.trees"]
reads.units = ["train", "holdout"]
order = ["place"]
run.sets = { lenient = true, judged_apart = true, most = 100_000 }
gives.sentences = true
example = { synthetic = ["synthetic", "holdout"], train = "train", holdout = "holdout", columns = ["city", "n"], attack = ["distance", "agreement"], trees = 5 }

[parameters]
synthetic = { type = "relations", doc = "the synthetic tables by name, or a list of the names of tables" }
train = { type = "relation", doc = "the real rows that the synthesizers saw" }
holdout = { type = "relation", doc = "real rows that they never saw, drawn as train was" }
attack = { type = "names", default = ["distance", "density", "agreement", "agreement_near", "uniques", "learned"], choices = ["distance", "ratio", "density", "agreement", "agreement_near", "uniques", "learned"], doc = "membership attacks; the most successful one counts" }
false_discovery = { type = "number", default = 0.05, above = 0, below = 1, doc = "as in exposure" }
tolerance = { type = "number", default = 0.02, minimum = 0, below = 0.5, doc = "as in evaluate: what an attack must reach beyond chance to matter" }
children = { type = "families", optional = true, doc = "as in evaluate, but with one synthetic table per candidate, as a list in the same order or by name; learned uses no scores of children here" }

[columns]
candidate = "VARCHAR, the name of the table; for one that cannot be compared with train and the holdout, only reason is filled"
fidelity = "DOUBLE, the overall fidelity of fidelity_summary, from 0 to 1 (identical)"
detection = "DOUBLE, the area under the ROC curve of a random forest that distinguishes it from train; 0.5 if it cannot"
attack = "VARCHAR, the most successful attack"
auc = "DOUBLE, the area under the ROC curve of this attack; 0.5 if it learns nothing"
lower = "DOUBLE, lower end of the 95 % interval of auc; biased upwards, as auc is the largest of several"
upper = "DOUBLE, upper end"
exposed = "BIGINT, people of train whom the attacks uniques and learned identify as members; a share of at most false_discovery of them is expected to be false"
copies = "BIGINT, synthetic records that equal a train record"
holdout_share = "DOUBLE, the share of synthetic records closer to train than to the holdout: holdout_share at depth all"
beaten_by = "VARCHAR[], candidates that are at least as good in both fidelity and auc, and better in one of them"
reason = "VARCHAR, why the table could not be compared; NULL if it was"
at_least = "BIGINT, at least so many people of train are given away at the top of the list of some attack: the largest at_least of membership over these attacks. With releases, attack, auc, exposed and at_least are those of the candidate together with all of these"
matters = "BOOLEAN, whether an attack succeeds by more than chance (p_adjusted of membership below 0.001) and by so much that it matters: the lower end of its auc above 0.5 + tolerance, that of the share found at 1 % false positives at least tolerance, or traced_lower at least half of it"
*/
WITH measured AS MATERIALIZED (
  SELECT
    this_place_of AS place,
    this_name_of AS candidate,
    fidelity.mean AS fidelity,
    detection.auc AS detection,
    attacks.attack,
    attacks.auc,
    attacks.auc_lower AS lower,
    attacks.auc_upper AS upper,
    named.exposed,
    attacks.at_least,
    attacks.matters,
    copied.copies,
    shares.share AS holdout_share
  FROM each_of_synthetic
  CROSS JOIN (
    SELECT mean FROM fidelity_summary(synthetic := this_synthetic, train := train) AS summary WHERE level = 'overall'
  ) AS fidelity
  CROSS JOIN detection(synthetic := this_synthetic, train := train) AS detection
  CROSS JOIN (
    SELECT
      attack, auc, auc_lower, auc_upper, row_number() OVER (ORDER BY auc DESC, attack) AS badness,
      max(at_least) OVER () AS at_least,
      max(
        CASE
          WHEN p_adjusted >= 0.001 THEN 0
          WHEN auc_lower > 0.5 + $tolerance OR lower >= $tolerance OR traced_lower >= $tolerance / 2 THEN 1
          ELSE 0
        END
      ) OVER () = 1 AS matters
    FROM membership(
      synthetic := this_synthetic, train := train, holdout := holdout, attack := $attack, false_positive_rates := [0.01]
    ) AS membership
  ) AS attacks
  CROSS JOIN (
    SELECT count(*) FILTER (WHERE exposed) AS exposed
    FROM exposure(
      synthetic := this_synthetic, train := train, holdout := holdout, attack := ['uniques', 'learned'],
      false_discovery := $false_discovery
    ) AS exposure
  ) AS named
  CROSS JOIN (
    SELECT count(*) FILTER (WHERE copies > 0) AS copies FROM copies(synthetic := this_synthetic, train := train) AS copies
  ) AS copied
  CROSS JOIN holdout_share(synthetic := this_synthetic, train := train, holdout := holdout) AS shares
  WHERE attacks.badness = 1 AND shares.depth = 'all'
),
beaten AS (
  SELECT one.place, list(other.candidate ORDER BY other.place) AS beaten_by
  FROM measured AS one
  JOIN measured AS other
    ON other.fidelity >= one.fidelity AND other.auc <= one.auc AND (other.fidelity > one.fidelity OR other.auc < one.auc)
  GROUP BY one.place
)
SELECT
  measured.place,
  measured.candidate,
  measured.fidelity,
  measured.detection,
  measured.attack,
  measured.auc,
  measured.lower,
  measured.upper,
  measured.exposed,
  measured.copies,
  measured.holdout_share,
  coalesce(beaten.beaten_by, CAST([] AS VARCHAR[])) AS beaten_by,
  CAST(NULL AS VARCHAR) AS reason,
  measured.at_least,
  measured.matters
FROM measured
LEFT JOIN beaten ON beaten.place = measured.place

UNION ALL

SELECT
  this_place_of AS place, this_name_of AS candidate, NULL AS fidelity, NULL AS detection, NULL AS attack, NULL AS auc,
  NULL AS lower, NULL AS upper, NULL AS exposed, NULL AS copies, NULL AS holdout_share, CAST([] AS VARCHAR[]) AS beaten_by,
  this_reason_of AS reason, NULL AS at_least,
  CAST(NULL AS BOOLEAN) AS matters
FROM each_left_out
