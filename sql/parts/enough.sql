/*
summary = "One row that is true, or an error if a table has fewer records than the requested neighbors."
part = true

[parameters]
reference = { type = "relation", doc = "the records that are searched" }
k = { type = "integer", default = 1, doc = "neighbors per record" }
exclude_self = { type = "boolean", default = false, doc = "a record is not its own neighbor" }
*/
SELECT none_lacks(message) AS is_enough
FROM shortage(reference := reference, k := $k, exclude_self := $exclude_self)
