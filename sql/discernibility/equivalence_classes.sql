/*
summary = "The equivalence classes over quasi-identifiers: each combination of values, with the number of records that have it."
source = "Sweeney, k-anonymity, IJUFKS 10 (2002)."
columns_of = "quasi_identifiers"
order = ["size"]

[parameters]
data = { type = "relation", doc = "the table" }
quasi_identifiers = { type = "names", doc = "the columns that together may single somebody out" }

[columns]
size = "BIGINT, the records of the class, at least 1; smallest classes first (size_1 beside a quasi-identifier named size)"
*/
SELECT each(quasi_identifiers, this_column), size
FROM classes(data := data)
