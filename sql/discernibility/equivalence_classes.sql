/*
summary = "The equivalence classes over quasi-identifiers: each combination of values, with its number of records."
source = "Sweeney, k-anonymity, IJUFKS 10 (2002)."
gives.columns_of = "quasi_identifiers"
order = ["size"]
example = { data = "train", quasi_identifiers = ["city", "n"] }

[parameters]
data = { type = "relation", doc = "the table" }
quasi_identifiers = { type = "names", doc = "the columns that together may identify a person" }

[columns]
size = "BIGINT, number of records in the class; smallest classes first (named size_1 if a quasi-identifier is named size)"
*/
SELECT each(quasi_identifiers, this_column), size
FROM classes(data := data)
