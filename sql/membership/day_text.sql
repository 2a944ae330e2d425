/*
summary = "The text of a time, without the midnight of a day."
part = true

[parameters]
value = { type = "expression", doc = "a time as text" }
*/
SELECT CASE WHEN value LIKE '____-__-__ 00:00:00' THEN substr(value, 1, 10) ELSE value END
