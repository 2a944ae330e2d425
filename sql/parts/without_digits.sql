/*
summary = "A text without its digits."
part = true

[parameters]
value = { type = "expression", doc = "a text" }
*/
SELECT
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(value,
    '0', ''), '1', ''), '2', ''), '3', ''), '4', ''), '5', ''),
    '6', ''), '7', ''), '8', ''), '9', '')
