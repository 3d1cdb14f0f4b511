"""Checks the reference itself: against vectors, real stores, and pairs of models with answers.

PIPELINE_CORPUS names the folder of real stores, PIPELINE_INFER that of model pairs.
"""

import base64
import json
import os
import re
import shutil
import sqlite3
import sys
import tempfile
import unittest
from collections import Counter

import derived
import indexes
import key_order
from hashes import entity_hash
from infer import Mapping, Refused
from model import Attribute, Entity, Model, Relationship
from model_xml import read_version
from reference import NothingToDo, migrate
from schema import Layout
from store import Content, Object, write_store

CORPUS = os.environ.get("PIPELINE_CORPUS")
INFER = os.environ.get("PIPELINE_INFER") or (
    os.path.join(os.path.dirname(CORPUS.rstrip("/")), "infer") if CORPUS else None)

if not CORPUS:
    print("PIPELINE_CORPUS is not set: nothing is compared with real stores.", file=sys.stderr)


class KeyOrder(unittest.TestCase):
    HASHES = {
        "_ent": (2053296458, 4, 1, 17, 53), "_pk": (515045925, 9, 2, 30, 41),
        "_opt": (2064533526, 0, 5, 10, 15), "name": (2082354421, 4, 17, 9, 49),
        "trustedClients": (2449085419, 0, 17, 29, 48),
        "trustedByClients": (786105768, 8, 15, 17, 61),
        "ignoredClients": (432191944, 8, 2, 38, 2),
        "ignoredByClients": (2243044741, 3, 9, 13, 48),
        "aVeryLongRelationshipNameHere": (1165121472, 9, 7, 36, 48),
    }
    INSERTED = ("_ent _pk _opt b a favorites favoriteFolders title _ZPARENT parent children "
                "uuid").split()
    GROWN = ("a _ent b parent uuid _pk _opt favorites children title _ZPARENT "
             "favoriteFolders").split()
    FINAL = ("_ent _pk a _opt title b favorites _ZPARENT parent children uuid "
             "favoriteFolders").split()

    def test_hashes(self):
        for text, (value, *slots) in self.HASHES.items():
            self.assertEqual(key_order.short_hash(text), value, text)
            self.assertEqual([value % size for size in (11, 23, 41, 67)], slots, text)
            if len(text) < 24:
                self.assertEqual(key_order.long_hash(text), value, text)
        self.assertEqual(key_order.long_hash("aVeryLongRelationshipNameHere"), 4093792939)

    def test_growing_table(self):
        table = key_order.GrowingTable(self.INSERTED)
        self.assertEqual(len(table.slots), 16)
        self.assertEqual(table.listing(), self.GROWN)

    def test_fixed_table(self):
        self.assertEqual(key_order.fixed_listing(self.GROWN), self.FINAL)


@unittest.skipUnless(CORPUS, "PIPELINE_CORPUS is not set: no real stores to hold against")
class Corpus(unittest.TestCase):
    def test_version_hashes(self):
        with open(os.path.join(CORPUS, "hashes.json")) as file:
            vectors = json.load(file)
        for vector in vectors:
            model = read_version(os.path.join(CORPUS, vector["model"]))
            found = base64.b64encode(entity_hash(model, vector["entity"])).decode()
            self.assertEqual(found, vector["hash"], vector["model"])

    def pairs(self):
        browser = "BrowserServicesKit/"
        model = browser + "Sources/Bookmarks/BookmarksModel.xcdatamodeld/BookmarksModel%s"
        for n in range(1, 6):
            yield (model % number(n), browser
                   + "Tests/BookmarksTests/Resources/Bookmarks_V%d.sqlite" % n)
        plus = "CoreDataPlus/Tests/Resources/"
        model = plus + "SampleModel/SampleModel.xcdatamodeld/SampleModel%s"
        for n in (1, 2):
            yield (model % number(n, ""), plus
                   + "SampleModel/Fixtures/SampleModel_V%d.sqlite" % n)
        yield (plus + "SampleModel3/SampleModel3.xcdatamodeld/SampleModel3",
               plus + "SampleModel3/Fixtures/SampleModel3_V1.sqlite")
        for name in ("CoreDataMigration-Example", "CoreDataMigrationRevised-Example"):
            model = name + ("/CoreDataMigration-Example/CoreData/Model/"
                            "CoreDataMigration_Example.xcdatamodeld/CoreDataMigration_Example%s")
            for n in (1, 2, 3):
                yield model % number(n), name + ("/CoreDataMigration-ExampleTests/Resources/"
                                                 "SQLite/CoreDataMigration_Example_%d.sqlite" % n)

    def test_schema(self):
        for model_path, store_path in self.pairs():
            with self.subTest(store_path), tempfile.TemporaryDirectory() as folder:
                model = read_version(os.path.join(CORPUS, model_path + ".xcdatamodel/contents"))
                there = real(store_path, folder)
                for name, text in indexes.unsettled_indexes(Layout(model)).items():
                    self.assertEqual(there.pop(name, text), text)
                self.assertEqual(made(model), there)

    def test_derived_triggers(self):
        """A count over a one-to-many, with the text that Core Data wrote."""
        book = Entity("Book", attributes=[
            Attribute("pagesCount", "Integer 64", derivation="pages.@count")],
            relationships=[Relationship("pages", "Page", "book", to_many=True)])
        page = Entity("Page", relationships=[Relationship("book", "Book", "pages")])
        made_here = derived.create_triggers(Layout(Model([book, page])))
        path = "CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V2.sqlite"
        with tempfile.TemporaryDirectory() as folder:
            there = real(path, folder, "Z_DA_%")
        self.assertEqual(made_here, there)


def number(n, space=" "):
    return "" if n == 1 else space + str(n)


def made(model):
    layout = Layout(model)
    found = {re.match(r"CREATE TABLE (\S+)", text)[1]: text for text in layout.create_tables()}
    found.update(indexes.create_indexes(layout))
    found.update(derived.create_triggers(layout))
    return found


def real(path, folder, pattern="%"):
    """The schema of a copy of a real store, without the three fixed tables."""
    copy = os.path.join(folder, "copy.sqlite")
    for end in ("", "-wal"):
        if os.path.exists(os.path.join(CORPUS, path + end)):
            shutil.copyfile(os.path.join(CORPUS, path + end), copy + end)
    connection = sqlite3.connect(copy)
    found = {name: sql for name, sql in connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE sql NOT NULL AND name LIKE ?", (pattern,))
        if name not in ("Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE")}
    connection.close()
    return found


@unittest.skipUnless(INFER and os.path.isdir(INFER),
                     "neither PIPELINE_INFER nor PIPELINE_CORPUS leads to the model pairs")
class Pairs(unittest.TestCase):
    """The model pairs with answers: whether a pair is inferred, and what rows hold."""

    def setUp(self):
        with open(os.path.join(INFER, "expected.json")) as file:
            self.cases = {case["case"]: case for case in json.load(file)}

    def models(self, case):
        folder = os.path.join(INFER, case["case"] + ".xcdatamodeld")
        return [read_version(os.path.join(folder, case[key] + ".xcdatamodel", "contents"))
                for key in ("from", "to")]

    def migrated(self, case, old_objects):
        """The rows after migrating these objects, each table by Z_PK."""
        old, new = self.models(case)
        with tempfile.TemporaryDirectory() as folder:
            source, result = (os.path.join(folder, n) for n in ("a.sqlite", "b.sqlite"))
            write_store(source, old, Content(old_objects))
            migrate(source, old, new, result)
            connection = sqlite3.connect(result)
            connection.row_factory = sqlite3.Row
            tables = {}
            for root in new.roots():
                table = Layout(new).table(root)
                tables[table] = {row["Z_PK"]: dict(row) for row in
                                 connection.execute("SELECT * FROM " + table)}
            connection.close()
        return tables

    def test_all_cases_are_here(self):
        self.assertEqual(len(self.cases), 24)

    def test_what_is_inferred(self):
        for name, case in self.cases.items():
            with self.subTest(name):
                if case["accept"] is False:
                    with self.assertRaises(Refused):
                        Mapping(*self.models(case), Counter())
                    continue
                try:
                    self.migrated(case, [])
                except NothingToDo:
                    self.fail("hashes are equal")

    def test_rows_refused_after_the_copy(self):
        for name in ("MandatoryToOne", "MandatoryWithoutDefault", "BecomesMandatory"):
            case = self.cases[name]
            entity = {"MandatoryToOne": "Boat"}.get(name, "Lamp")
            old = self.models(case)[0]
            entity = entity if entity in old.entities else next(iter(old.entities))
            with self.subTest(name), self.assertRaises(Refused) as caught:
                self.migrated(case, [Object(entity, 1)])
            self.assertEqual(caught.exception.code, 134110)

    def test_values_in_pairs(self):
        """Where the answer is a list of old and new values of one attribute."""
        for name, case in self.cases.items():
            for path, pairs in (case.get("rows") or {}).items():
                if not isinstance(pairs, list) or not pairs or case["accept"] is not True:
                    continue
                entity, attribute = path.split(".")
                old, new = self.models(case)
                with self.subTest(path):
                    mapping = Mapping(old, new, Counter())
                    source = mapping.properties[entity, attribute]
                    objects = [Object(mapping.entities[entity], key, values={source.name: value})
                               for key, (value, _) in enumerate(pairs, 1)]
                    layout = Layout(new)
                    rows = self.migrated(case, objects)[layout.table(entity)]
                    column = layout.column(entity, attribute, "attribute").name
                    self.assertEqual([rows[key][column] for key in sorted(rows)],
                                     [value for _, value in pairs])

    def test_new_values(self):
        """Where the answer is one value for all objects there were."""
        for name, case in self.cases.items():
            for path, value in (case.get("rows") or {}).items():
                if isinstance(value, list) or value in ("kept", "any") \
                        or case["accept"] is not True:
                    continue
                entity, attribute = path.split(".")
                new = self.models(case)[1]
                with self.subTest(path):
                    rows = self.migrated(case, [Object(entity, 1)])
                    layout = Layout(new)
                    column = layout.column(entity, attribute, "attribute")
                    self.assertEqual(rows[layout.table(entity)][1][column.name], value)

    def test_links_are_kept(self):
        for name, entity, link, other in (
                ("ManyBecomesOtherOne", "Badge", "clerk", "Clerk"),
                ("OrderedToUnordered", "Card", "tray", "Tray"),
                ("RenamedEntityIsDestination", "Picture", "frame", None),
                ("DestinationBecomesParent", "Ticket", "show", None)):
            case = self.cases[name]
            old, new = self.models(case)
            mapping = Mapping(old, new, Counter())
            source = mapping.entities[entity]
            other = other or old.entities[source].own(link).destination
            objects = [Object(other, 7), Object(source, 3, links={link: (other, 7)})]
            layout = Layout(new)
            with self.subTest(name):
                row = self.migrated(case, objects)[layout.table(entity)][3]
                self.assertEqual(row[layout.column(entity, link, "key").name], 7)

    def test_join_tables_and_indexes(self):
        new = self.models(self.cases["TwoNamesOneColumn"])[1]
        columns = [join.columns for join in Layout(new).joins]
        self.assertEqual(sorted(c[0] for c in columns), ["Z_1PHOTOS", "Z_1PHOTOS1"])
        new = self.models(self.cases["OldIndexes"])[1]
        self.assertEqual(sorted(indexes.create_indexes(Layout(new))),
                         ["Z_Bin_code", "Z_Bin_row_shelf"])


if __name__ == "__main__":
    unittest.main()
