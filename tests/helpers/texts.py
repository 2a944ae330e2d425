"""People with texts of several languages: names, addresses, employers and notes, seeded."""

import numpy as np
import pandas as pd

FIRST = {
    "en": "Mary James Linda Robert Susan John Karen David Emily Daniel Grace Henry Olivia Thomas Ruth Arthur",
    "de": "Anna Jürgen Sabine Käthe Lukas Heike Björn Ursula Matthias Günther Frieda Stefan Renate Wolfgang",
    "es": "María José Lucía Ángel Carmen Íñigo Dolores Jesús Pilar Raúl Inés Tomás Consuelo Andrés",
    "pl": "Zofia Łukasz Małgorzata Wojciech Katarzyna Paweł Żaneta Stanisław Agnieszka Michał Bożena Grzegorz",
    "tr": "Ayşe Mehmet Şule Çağlar Elif Özgür İpek Yiğit Gülşen Tuğba Emre Nurgül",
    "he": "יעל משה רחל דוד שרה אברהם נועה איתן",
}
HEADS = "Ber Hol Gar Mül Nov Ros Stein Wal Kow Fer Alv San Mar Pet Öz Yıl Kar Dem Łuk Zie Win Ash Black Har Ells Lind"
MIDDLES = "man er al in ter en ov an es ber to ne ka wa"
TAILS = "son mann dez ski oğlu ville ton berg wicz ez sen ak quist worth stein ova"
HOSTS = "example.org mail.example post.example"
EMPLOYERS = "Acme Ltd|Stadtwerke Nord GmbH|Universidad del Sur|Bank Zachodni|Kuzey Lojistik|self-employed"
WORDS = """
patient reports mild severe pain in the left right knee shoulder back since after fall at work with without fever
dizzy tired sleeps badly takes ibuprofen twice daily allergic to penicillin mother father diabetic smoker quit
walks dog every morning lives alone near river moved from abroad plays violin teaches chemistry repairs clocks
was seen by colleague asked return week month follow up blood pressure normal high low weight stable lost gained
"""
TEMPLATE = "no known allergies, follow-up in six weeks"


def drawn(rows, seed):
    """A table of people: a fifth of notes are a template, employers and first names are shared."""
    random = np.random.default_rng(seed)

    def pick(listed, power=1.0):
        return listed[int(len(listed) * random.random() ** power)]

    languages = {language: names.split() for language, names in FIRST.items()}
    out = []
    for i in range(rows):
        first = pick(languages[pick(list(languages))], 1.5)
        middles = "".join(pick(MIDDLES.split()) for _ in range(random.integers(1, 4)))
        last = pick(HEADS.split()) + middles + pick(TAILS.split())
        mail = f"{first.lower()}.{last.lower()}{random.integers(1, 99)}@{pick(HOSTS.split())}"
        note = TEMPLATE if random.random() < 0.2 else " ".join(random.choice(WORDS.split(), 25))
        out.append(
            (first, f"{first} {last}", mail, pick(EMPLOYERS.split("|"), 2.0), note, int(random.integers(18, 90)), i)
        )
    table = pd.DataFrame(out, columns=["first", "name", "mail", "employer", "note", "age", "i"]).drop(columns="i")
    return table.assign(income=random.lognormal(8, 1, rows).round(2))


def with_edits(text, edits, random):
    """A text after some edits in its first part: letters left out, put in, replaced, swapped."""
    points = list(text)
    for _ in range(edits):
        place, kind = int(random.integers(0, max(len(points) - 2, 1))), random.integers(4)
        if kind == 0:
            del points[place]
        elif kind == 1:
            points.insert(place, "x")
        elif kind == 2:
            points[place] = "q"
        else:
            points[place : place + 2] = points[place : place + 2][::-1]
    return "".join(points)


PLANTED = {
    "verbatim": lambda text, random: text,
    "one edit": lambda text, random: with_edits(text, 1, random),
    "two edits": lambda text, random: with_edits(text, 2, random),
    "other case and blanks": lambda text, random: "  ".join(text.upper().split(" ")),
    "reordered": lambda text, random: " ".join(np.roll(text.split(" "), len(text.split(" ")) // 2)),
}
"""Ways in which a text of train comes back; reordered: the second half of its words first."""


def with_phrases(synthetic, train, words, records, seed=0):
    """A synthetic table, some of whose notes have so many words in a row of one of train inside."""
    random = np.random.default_rng(seed)
    there = train.index[train.note != TEMPLATE][:records]
    out = synthetic.copy()
    for here, note in zip(synthetic.index[synthetic.note != TEMPLATE], train.note[there], strict=False):
        known, mine, place = note.split(" "), out.note[here].split(" "), int(random.integers(0, 25 - words))
        out.loc[here, "note"] = " ".join([*mine[:9], *known[place : place + words], *mine[9:]])
    return out


def planted(synthetic, train, column, how, records, seed=0):
    """A synthetic table, of whose records some have a text of one of train, changed."""
    random = np.random.default_rng(seed)
    lone = train.index[~train[column].duplicated(keep=False)].to_numpy()
    there, here = random.choice(lone, records, replace=False), random.choice(len(synthetic), records, replace=False)
    out = synthetic.copy()
    out.loc[out.index[here], column] = [PLANTED[how](text, random) for text in train.loc[there, column]]
    return out


def with_accounts(tables, dense, changed, seed=0):
    """Tables with account numbers; in synthetic, some of train with another last digit."""
    random = np.random.default_rng(seed)
    train = tables[1]
    drawn = [random.integers(0, 3 * len(train) if dense else 10**12, len(table)) for table in tables]
    drawn[0][:changed] = (
        drawn[1][:changed] // 10 * 10 + (drawn[1][:changed] % 10 + random.integers(1, 10, changed)) % 10
    )
    return [table.assign(account=[f"{n:012d}" for n in ns]) for table, ns in zip(tables, drawn, strict=True)]
