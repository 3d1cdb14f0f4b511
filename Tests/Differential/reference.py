"""Migrates a store to a new model as Core Data's inferred migration does, into fresh tables.

Slow and plain: every row is read into a dictionary, changed and inserted. Of a type change nothing
but the affinity of the new column acts, as in Core Data.
"""

import plistlib
import re
import sqlite3
from collections import Counter

import derived
import indexes
import mirror
from carry_history import carry_history
from checks import check_mandatory
from hashes import model_hashes, model_metadata
from infer import Mapping, Refused
from links import carry_joins, carry_links
from lost_links import note_derived, note_lost_links
from model import INTEGERS, NUMBERS
from schema import FIXED_TABLES, Layout


class NothingToDo(Exception):
    """The two models have equal hashes: a store of one is a store of the other."""


def default_value(attribute):
    """The value of a default, read as the model compiler reads its text."""
    text = attribute.default
    if text is None:
        return None
    if attribute.type == "Boolean":
        return int(bool(re.match(r"\s*[+-]?0*[YyTt1-9]", text)))
    if attribute.type in NUMBERS or attribute.type == "Date":
        leading = re.match(r"\s*[+-]?\d+(\.\d+)?", text)
        number = leading.group() if leading else "0"
        whole = attribute.type in INTEGERS or "." not in number
        return int(number.split(".")[0]) if whole else float(number)
    return text


class Migration:
    """One store on its way: both models and layouts, both connections."""

    def __init__(self, source, old, new, destination, met=None):
        self.met = Counter() if met is None else met
        if model_hashes(old) == model_hashes(new):
            raise NothingToDo()
        self.mapping = Mapping(old, new, self.met)
        self.old, self.new = Layout(old), Layout(new)
        if mirror.has_mirror(source):
            mirror.refuse_renames(self.mapping)
        self.source, self.destination = source, destination
        self.numbers = {self.old.numbers[source_name]: self.new.numbers[name]
                        for name, source_name in self.mapping.entities.items() if source_name}
        self.free = set()  # cells (table, key, column) that no fact settles
        self.highest_before = {}
        self.lost_rows = set()  # rows (table, key) of join tables that may be missing
        self.also = {}     # cells with other values that are right as well

    def run(self):
        for statement in list(FIXED_TABLES.values()) + self.new.create_tables():
            self.destination.execute(statement)
        for root in self.new.model.roots():
            for entity in self.new.model.family(root):
                if self.mapping.entities[entity] is not None:
                    self.carry_rows(entity)
        carry_links(self)
        carry_joins(self)
        note_lost_links(self)
        self.write_primary_keys()
        self.create_indexes()
        try:
            derived.fill_derived(self.destination, self.new)
        except sqlite3.IntegrityError as error:
            self.met["refused: values not unique"] += 1
            raise Refused(134110, "UNIQUE constraint failed", str(error)) from error
        note_derived(self)
        check_mandatory(self)
        carry_history(self)
        if mirror.has_mirror(self.source):
            mirror.carry_mirror(self)
        self.write_metadata()

    def source_rows(self, entity):
        """The rows of exactly this old entity, as dictionaries."""
        cursor = self.source.execute("SELECT * FROM %s WHERE Z_ENT = ? ORDER BY Z_PK" % (
            self.old.table(entity)), (self.old.numbers[entity],))
        names = [each[0] for each in cursor.description]
        return [dict(zip(names, row)) for row in cursor]

    def insert(self, table, row):
        self.destination.execute("INSERT INTO %s (%s) VALUES (%s)" % (
            table, ", ".join(row), ", ".join("?" * len(row))), list(row.values()))

    def carry_rows(self, entity):
        """Keys, save counters and attributes; links follow when all rows are there."""
        source_entity = self.mapping.entities[entity]
        attributes = [(self.new.column(entity, a.name, "attribute").name, a)
                      for _, a in self.new.model.attributes(entity)
                      if a.stored and not a.derivation]
        for row in self.source_rows(source_entity):
            made = {"Z_PK": row["Z_PK"], "Z_ENT": self.new.numbers[entity], "Z_OPT": row["Z_OPT"]}
            for column, attribute in attributes:
                made[column] = self.attribute_value(entity, attribute, row)
            self.insert(self.new.table(entity), made)

    def attribute_value(self, entity, attribute, row):
        found = self.mapping.source(entity, attribute.name)
        if found is None:
            self.met["row: new attribute, %s" % (
                "NULL" if attribute.default is None else "default")] += 1
            return default_value(attribute)
        declarer, source = found
        value = row[self.old.columns[declarer, source.name, "attribute"].name]
        if value is None and source.optional and not attribute.optional:
            self.met["row: default in the place of NULL"] += attribute.default is not None
            return default_value(attribute)
        if value is not None and attribute.external and not source.external:
            self.met["row: marker byte put before a value"] += 1
            return b"\1" + value
        if value is not None and source.type != attribute.type:
            self.met["row: number of another type"] += 1
        return value

    def create_indexes(self):
        for name, statement in indexes.create_indexes(self.new).items():
            try:
                self.destination.execute(statement)
            except sqlite3.IntegrityError as error:
                self.met["refused: values not unique"] += 1
                raise Refused(134110, "UNIQUE constraint failed", name) from error

    def write_primary_keys(self):
        rows = self.source.execute("SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY").fetchall()
        most = self.highest_before = {number: highest for number, _, highest in rows}
        for entity, number in self.new.numbers.items():
            parent = self.new.model.entities[entity].parent
            highest = 0 if parent else self.highest_key(entity, most)
            if self.mapping.entities[entity] and self.numbers[
                    self.old.numbers[self.mapping.entities[entity]]] != \
                    self.old.numbers[self.mapping.entities[entity]]:
                self.met["entity renumbered"] += 1
            self.destination.execute("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, ?)", (
                number, entity, self.new.numbers[parent] if parent else 0, highest))

    def highest_key(self, root, most):
        """A root keeps its own highest key, or that of the old root its objects come from."""
        family = self.new.model.family(root)
        sources = [self.mapping.entities[name] for name in family if self.mapping.entities[name]]
        if not sources:
            return 0
        old_root = self.old.model.root(sources[0])
        if self.mapping.entities[root] is None:
            self.met["added root above an old root"] += 1
        elif self.mapping.entities[root] != old_root:
            self.met["sub-entity becomes a root"] += 1
        return most[self.old.numbers[old_root]]

    def write_metadata(self):
        uuid, blob = self.source.execute("SELECT Z_UUID, Z_PLIST FROM Z_METADATA").fetchone()
        keys = plistlib.loads(blob)
        keys.update(model_metadata(self.new.model, keys["NSPersistenceFrameworkVersion"], keys))
        if mirror.has_mirror(self.source):
            keys[mirror.CARRIED] = {}
        self.destination.execute("INSERT INTO Z_METADATA VALUES (1, ?, ?)", (
            uuid, plistlib.dumps(keys, fmt=plistlib.FMT_BINARY)))


def migrate(source_path, old, new, destination_path, met=None):
    """Returns the finished migration; throws NothingToDo or Refused."""
    source = sqlite3.connect("file:%s?mode=ro" % source_path, uri=True)
    destination = sqlite3.connect(destination_path, isolation_level=None)
    destination.execute("PRAGMA synchronous = OFF")
    try:
        migration = Migration(source, old, new, destination, met)
        destination.execute("BEGIN")
        migration.run()
        destination.execute("COMMIT")
        return migration
    finally:
        source.close()
        destination.close()
