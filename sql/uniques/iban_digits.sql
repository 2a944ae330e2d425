/*
summary = "The digits of which an IBAN has the rest 1 when divided by 97 (ISO 7064): its first four characters last, and 10 to 35 for letters."
part = true

[parameters]
value = { type = "expression", doc = "an IBAN, without blanks" }
*/
SELECT
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      substr(value, 5) || substr(value, 1, 4),
      'A', '10'), 'B', '11'), 'C', '12'), 'D', '13'), 'E', '14'), 'F', '15'), 'G', '16'), 'H', '17'), 'I', '18'),
      'J', '19'), 'K', '20'), 'L', '21'), 'M', '22'), 'N', '23'), 'O', '24'), 'P', '25'), 'Q', '26'), 'R', '27'),
      'S', '28'), 'T', '29'), 'U', '30'), 'V', '31'), 'W', '32'), 'X', '33'), 'Y', '34'), 'Z', '35')
