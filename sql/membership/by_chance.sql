/*
summary = "The number c of which at most c (1 + non-members) members are by chance among the first of a list, however long it is, at 95 % for so many lists together."
source = "Ville's inequality on the walk of labels down the list; for equal sides the bound of Katsevich and Ramdas, Annals of Statistics 48 (2020)."
part = true

[parameters]
members = { type = "expression", doc = "the number of members, as DOUBLE" }
non_members = { type = "expression", doc = "the number of non-members, as DOUBLE" }
lists = { type = "expression", doc = "the number of lists, as DOUBLE" }
*/
SELECT ln(lists / 0.05) / ln((members + non_members - non_members * 0.05 / lists) / members)
