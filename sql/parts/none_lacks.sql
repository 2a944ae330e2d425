/*
summary = "True without a message, otherwise the error with this message."
part = true

[parameters]
message = { type = "expression", doc = "the message of shortage, or NULL" }
*/
SELECT CASE WHEN message IS NULL THEN true ELSE CAST(error(message) AS BOOLEAN) END
