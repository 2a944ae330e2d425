/*
summary = "True where there is no message, else the error that it is."
part = true

[parameters]
message = { type = "expression", doc = "what shortage says, or NULL" }
*/
SELECT CASE WHEN message IS NULL THEN true ELSE CAST(error(message) AS BOOLEAN) END
