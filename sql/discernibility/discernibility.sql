/*
summary = "Discernibility of a table over quasi-identifiers: the sum of the squared class sizes, with a penalty for suppressed rows."
source = "Discernibility metric: Bayardo and Agrawal, ICDE 2005; c_avg: LeFevre et al., ICDE 2006."
number = "discernibility"

[parameters]
data = { type = "relation", doc = "the table" }
quasi_identifiers = { type = "names", doc = "the columns that together may single somebody out" }
k = { type = "integer", optional = true, minimum = 1, doc = "classes below k are suppressed" }
suppressed = { type = "integer", default = 0, minimum = 0, doc = "rows that were taken out of the table before" }

[columns]
discernibility = "HUGEINT, the sum of squared class sizes kept, plus rows for each row suppressed"
rows = "BIGINT, the original size, rows suppressed included"
suppressed = "BIGINT, rows suppressed: those taken out before and those in classes below k"
classes = "BIGINT, classes present, those below k included"
smallest_class = "BIGINT, the k of the table's k-anonymity; NULL without rows"
average_class_size = "DOUBLE, rows present per class"
c_avg = "DOUBLE, rows / (classes * k); NULL without k, as the following four"
rows_below_k = "BIGINT, rows in classes below k"
classes_below_k = "BIGINT, classes below k"
best = "HUGEINT, the least discernibility that the rows can have with classes of at least k; NULL where k is more than the rows"
ratio_to_best = "DOUBLE, discernibility / best"
*/
SELECT *
FROM class_totals(classes := classes(data := data), k := $k, suppressed := $suppressed)
