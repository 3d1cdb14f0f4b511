"""Two stores, table for table: columns, rows, indexes, triggers, metadata, external files."""

import os
import plistlib
import re
import sqlite3
from dataclasses import dataclass

import derived
import indexes

# Tables that are compared in ways of their own or, like the model cache, not at all.
APART = ("Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY")
OWN_KEYS = ("PipelineLog",)


@dataclass
class Difference:
    kind: str     # what differences of one cause have in common
    detail: str

    def __str__(self):
        return "%s: %s" % (self.kind, self.detail)


def squeezed(statement):
    return re.sub(r"\s+", " ", statement or "").strip()


def opened(path):
    connection = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    return connection


def exact(value):
    """A value with its storage class: 1 and 1.0 are not the same."""
    return (type(value).__name__, value)


class Comparison:
    """`expected` is the reference's store or another result; `migration` is the reference."""

    def __init__(self, expected, actual, migration=None):
        self.expected, self.actual = opened(expected), opened(actual)
        self.migration = migration
        self.free = migration.free if migration else set()
        self.also = migration.also if migration else {}
        self.found = []

    def say(self, kind, detail):
        self.found.append(Difference(kind, detail))

    def differences(self):
        self.compare_tables()
        self.compare_statements("index")
        self.compare_statements("trigger")
        self.compare_primary_keys()
        self.compare_metadata()
        for connection in (self.expected, self.actual):
            connection.close()
        return self.found

    # Schema

    def tables(self, connection):
        return {name for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")}

    def compare_tables(self):
        expected, actual = self.tables(self.expected), self.tables(self.actual)
        for name in sorted(expected ^ actual - {"Z_MODELCACHE"}):
            side = "missing" if name in expected else "extra"
            form = "join table" if name.startswith("Z_") else "table"
            self.say("%s %s" % (form, side), name)
        for name in sorted((expected & actual) - set(APART)):
            self.compare_columns(name)
            self.compare_rows(name)

    def columns(self, connection, table):
        return [(row[1], row[2]) for row in connection.execute("PRAGMA table_info(%s)" % table)
                if not (table == "ACHANGE" and row[1].startswith("ZTOMBSTONE"))]

    def compare_columns(self, table):
        expected, actual = (self.columns(c, table) for c in (self.expected, self.actual))
        if sorted(expected) != sorted(actual):
            self.say("columns", "%s: expected %s, not %s" % (
                table, sorted(set(expected) - set(actual)), sorted(set(actual) - set(expected))))
        elif expected != actual:
            self.say("column order", "%s: expected %s, is %s" % (
                table, [c[0] for c in expected], [c[0] for c in actual]))

    def statements(self, connection, type):
        return {name: squeezed(sql) for name, sql in connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = ? AND sql NOT NULL", (type,))}

    def expected_statements(self, type):
        if type == "index" or self.migration is None:
            return self.statements(self.expected, type)
        return derived.create_triggers(self.migration.new)

    def compare_statements(self, type):
        expected = self.expected_statements(type)
        actual = self.statements(self.actual, type)
        if type == "index" and self.migration:
            for name, text in indexes.unsettled_indexes(self.migration.new).items():
                if name not in expected and actual.get(name) == text:
                    del actual[name]
        for name in sorted(set(expected) ^ set(actual)):
            side = "missing" if name in expected else "extra"
            self.say("%s %s" % (type, side), "%s: %s" % (
                name, expected.get(name) or actual.get(name)))
        for name in sorted(set(expected) & set(actual)):
            if expected[name] is not None and expected[name] != actual[name]:
                self.say("%s text" % type, "%s: expected %s, is %s" % (
                    name, expected[name], actual[name]))

    # Rows

    def rows(self, connection, table):
        cursor = connection.execute("SELECT * FROM " + table)
        names = [each[0] for each in cursor.description]
        found = [dict(zip(names, row)) for row in cursor]
        if "Z_PK" in names:
            return {row["Z_PK"]: row for row in found}
        keys = sorted(name for name in names if "FOK" not in name)
        return {tuple(row[name] for name in keys): row for row in found}

    def compare_rows(self, table):
        expected, actual = (self.rows(c, table) for c in (self.expected, self.actual))
        if table in ("ATRANSACTION", "ATRANSACTIONSTRING"):
            actual = without_marker(expected, actual, table)
        lost = self.migration.lost_rows if self.migration else set()
        for key in sorted(set(expected) ^ set(actual), key=str):
            if key in expected and (table, key) in lost:
                continue
            side = "missing" if key in expected else "extra"
            form = "history" if table in ("ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING") else (
                "join" if table.startswith("Z_") else "entity")
            self.say("%s row %s" % (form, side), "%s %s: %s" % (
                table, key, expected.get(key) or actual.get(key)))
        for key in sorted(set(expected) & set(actual), key=str):
            self.compare_cells(table, key, expected[key], actual[key])

    def compare_cells(self, table, key, expected, actual):
        for name in sorted(set(expected) | set(actual)):
            optional = name.startswith("ZTOMBSTONE")
            if not optional and (name not in expected or name not in actual):
                continue  # reported with the columns
            first, second = expected.get(name), actual.get(name)
            if exact(first) == exact(second) or (table, key, name) in self.free:
                continue
            if exact(second) in map(exact, self.also.get((table, key, name), ())):
                continue
            self.say("cell, %s" % self.role(table, name), "%s %s %s: expected %r, is %r" % (
                table, key, name, first, second))

    def role(self, table, name):
        if table.startswith("A"):
            return "history " + re.sub(r"\d+$", "", name)
        if table.startswith("Z_"):
            return "join order"
        if self.migration is None or name in ("Z_PK", "Z_ENT", "Z_OPT"):
            return name if name.startswith("Z_") else "value"
        for column in self.migration.new.columns.values():
            if column.name == name and self.migration.new.table(
                    self.home(column)) == table:
                return self.role_of(column)
        return "unknown column"

    def home(self, column):
        if column.role.startswith("hidden"):
            owner = self.migration.new.model.entities[column.declarer]
            return owner.own(column.property).destination
        return column.declarer

    def role_of(self, column):
        found = self.migration.new.model.entities[column.declarer].own(column.property)
        return "derived" if getattr(found, "derivation", None) else column.role

    # The three tables apart

    def compare_primary_keys(self):
        query = "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY"
        expected, actual = ({row[0]: row[1:] for row in c.execute(query)}
                            for c in (self.expected, self.actual))
        for number in sorted(set(expected) | set(actual)):
            first, second = expected.get(number), actual.get(number)
            if first == second:
                continue
            if first and second and number > 16000:
                # The row that marks the migration raises it by one.
                highest = max(first[2], self.source_highest(number))
                if first[:2] == second[:2] and first[2] <= second[2] <= highest + 2:
                    continue
            self.say("Z_PRIMARYKEY", "%d: expected %s, is %s" % (number, first, second))

    def source_highest(self, number):
        return self.migration.highest_before.get(number, 0) if self.migration else 0

    def metadata(self, connection):
        uuid, blob = connection.execute("SELECT Z_UUID, Z_PLIST FROM Z_METADATA").fetchone()
        keys = {k: v for k, v in plistlib.loads(blob).items() if k not in OWN_KEYS}
        keys["Z_UUID"] = uuid
        return keys

    def compare_metadata(self):
        expected, actual = self.metadata(self.expected), self.metadata(self.actual)
        for key in sorted(set(expected) | set(actual)):
            if expected.get(key) != actual.get(key):
                self.say("metadata " + key, "expected %r, is %r" % (
                    expected.get(key), actual.get(key)))


def without_marker(expected, actual, table):
    """The product adds one transaction, which says that it migrated, and the texts it needs."""
    last = max(expected, default=0)
    added = [key for key in actual if key > last]
    if table == "ATRANSACTION" and len(added) > 1:
        return actual
    return {key: row for key, row in actual.items() if key <= last}


def external_files(path):
    stem = os.path.splitext(os.path.basename(path))[0]
    folder = os.path.join(os.path.dirname(path), ".%s_SUPPORT" % stem, "_EXTERNAL_DATA")
    if not os.path.isdir(folder):
        return {}
    found = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = file.read()
    return found


def compare_files(migration, expected_store, source, actual):
    """Every file that the result refers to is there as it was."""
    before, after, found = external_files(source), external_files(actual), []
    connection = opened(expected_store)
    for column in migration.new.columns.values():
        attribute = migration.new.model.entities[column.declarer].own(column.property)
        if not getattr(attribute, "external", False):
            continue
        query = "SELECT %s FROM %s WHERE %s NOT NULL" % (
            column.name, migration.new.table(column.declarer), column.name)
        for (value,) in connection.execute(query):
            if value[:1] == b"\2":
                name = value[1:-1].decode()
                if name in before and after.get(name) != before[name]:
                    found.append(Difference("external file", "%s is missing or another" % name))
    connection.close()
    return found


def same_files(first, second):
    """Whether two stores are byte for byte the same; an empty -wal is as good as none."""
    for end in ("", "-wal"):
        if contents(first + end) != contents(second + end):
            return False
    return True


def contents(path):
    if not os.path.exists(path):
        return b""
    with open(path, "rb") as file:
        return file.read()
