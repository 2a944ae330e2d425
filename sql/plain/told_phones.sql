/*
summary = "Values as they are: telephone numbers are told by the plain rule alone, without the library, which is asked in DuckDB only."
part = true
run.stands_in = ["no kernel", "other databases"]

[parameters]
given = { type = "relation", columns = ["position", "role", "value", "side", "records", "looks"], doc = "as in told_phones" }
*/
SELECT position, side, records, looks, false AS is_told
FROM given
