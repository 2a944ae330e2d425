/*
summary = "Discernibility of a table over quasi-identifiers: the sum of the squared class sizes, with a penalty for suppressed rows."
source = "Discernibility metric: Bayardo and Agrawal, ICDE 2005; c_avg: LeFevre et al., ICDE 2006."
gives.number = "discernibility"
example = { data = "train", quasi_identifiers = ["city", "n"], k = 2, suppressed = 1 }

[parameters]
data = { type = "relation", doc = "the table" }
quasi_identifiers = { type = "names", doc = "the columns that together may identify a person" }
k = { type = "integer", optional = true, minimum = 1, doc = "classes smaller than k are suppressed" }
suppressed = { type = "integer", default = 0, minimum = 0, doc = "number of rows that were removed from the table beforehand" }

[columns]
discernibility = "HUGEINT, the sum of squared sizes of the kept classes, plus the number of rows for each suppressed row"
rows = "BIGINT, the original number of rows, including suppressed ones"
suppressed = "BIGINT, suppressed rows: those removed beforehand and those in classes smaller than k"
classes = "BIGINT, classes in the table, including those smaller than k"
smallest_class = "BIGINT, the k of the table's k-anonymity; NULL without rows"
average_class_size = "DOUBLE, rows of the table per class"
c_avg = "DOUBLE, rows / (classes * k); NULL without k, like the following four"
rows_below_k = "BIGINT, rows in classes smaller than k"
classes_below_k = "BIGINT, classes smaller than k"
best = "HUGEINT, the smallest possible discernibility of the rows with classes of at least k; NULL if k exceeds the number of rows"
ratio_to_best = "DOUBLE, discernibility / best"
*/
SELECT *
FROM class_totals(classes := classes(data := data), k := $k, suppressed := $suppressed)
