/*
summary = "The text of a number, without the zero behind the point that some databases write for whole ones."
part = true

[parameters]
value = { type = "expression", doc = "a number as text" }
*/
SELECT CASE WHEN value LIKE '%.0' THEN substr(value, 1, length(value) - 2) ELSE value END
