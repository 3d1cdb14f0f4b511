"""M2 with sqlite-utils, convert and transform on a copy: m2-sqlite-utils.py SOURCE RESULT"""

import shutil
import sys

import sqlite_utils

source, result = sys.argv[1:3]


def split(name):
    first, _, last = (name or "").partition(" ")
    return {"ZFIRSTNAME": first or None, "ZLASTNAME": last or None}


def tidy(note):
    note = note.strip()
    return note[:1].upper() + note[1:]


def text(price):
    return f"{price // 100}.{price % 100:02d}"


shutil.copyfile(source, result)
items = sqlite_utils.Database(result)["ZITEM"]
items.convert("ZNAME", split, multi=True)
items.convert("ZNOTE", lambda note: None if note is None else tidy(note))
items.convert("ZPRICE", text, output="ZPRICETEXT", output_type=str)
items.transform(rename={"ZWEIGHT": "ZMASS"}, drop={"ZFRAGILE", "ZNAME", "ZPRICE"})
items.add_column("ZSTATUS", int, not_null_default=1)
