/*
summary = "A text without blanks and the marks that stand between the words of names and addresses, or the digits of numbers."
part = true

[parameters]
value = { type = "expression", doc = "a text" }
*/
SELECT
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(value,
    ' ', ''), '-', ''), '_', ''), '.', ''), '/', ''), ':', ''),
    '@', ''), '+', ''), ',', ''), ';', ''), '#', ''), '(', ''),
    ')', '')
