/*
summary = "What a text looks like: email, url, uuid, ip, iban, date, card, phone, number, name-like, text (four words or more) or other."
part = true

[parameters]
value = { type = "expression", doc = "a text" }
checksum = { type = "expression", doc = "that of Luhn, a multiple of 10 for numbers of cards; NULL if it is not 13 to 19 digits" }
rest = { type = "expression", doc = "that of its digits when divided by 97, 1 for an IBAN; NULL if it is not written like one" }
*/
-- A phone number is told by a plain rule, without a list of the countries' numbers: the result must be the same on all
-- engines. No backslash: its meaning in a text differs between databases. Patterns cover whole texts, as some databases require.
SELECT
  CASE
    WHEN regexp_matches(value, '^[^@ ]+@[^@ ]+[.][^@ .]+$') THEN 'email'
    WHEN regexp_matches(value, '^([a-zA-Z][a-zA-Z0-9+.-]*://|www[.])[^ ]+$') THEN 'url'
    WHEN regexp_matches(value, '^[{]?[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}[}]?$') THEN 'uuid'
    WHEN regexp_matches(value, '^((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])[.]){3}(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(/[0-9]{1,2})?$')
      OR regexp_matches(value, '^([0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}$')
      OR regexp_matches(value, '^[0-9a-fA-F]{0,4}(:[0-9a-fA-F]{1,4}){0,6}::([0-9a-fA-F]{1,4}:){0,6}[0-9a-fA-F]{0,4}$') THEN 'ip'
    WHEN rest = 1 THEN 'iban'
    WHEN regexp_matches(value, '^[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}([ T][0-9:.+-]+Z?)?$')
      OR regexp_matches(value, '^[0-9]{1,2}[-/.][0-9]{1,2}[-/.]([0-9]{2}|[0-9]{4})$') THEN 'date'
    WHEN checksum % 10 = 0 THEN 'card'
    WHEN regexp_matches(value, '^[+(0][0-9 ()./-]{5,20}[0-9]$')
      OR regexp_matches(value, '^[0-9]{3}[ .-][0-9]{3}[ .-][0-9]{4}$') THEN 'phone'
    WHEN regexp_matches(value, '^[-+]?[0-9]+([.,][0-9]+)*([eE][-+]?[0-9]+)?%?$') THEN 'number'
    WHEN regexp_matches(
      value,
      '^[^a-z0-9 @_/#,;:!?()][^0-9 @_/#,;:!?()]*(,? ([a-z]{1,3} )?[^a-z0-9 @_/#,;:!?()][^0-9 @_/#,;:!?()]*){1,3}$'
    ) THEN 'name-like'
    WHEN value LIKE '% % % %' THEN 'text'
    ELSE 'other'
  END
