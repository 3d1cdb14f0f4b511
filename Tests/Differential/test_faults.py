"""Faults planted in stores that the command has made: each must be found.

The command is named by PIPELINE_COMMAND; without it there is nothing to plant a fault in.
"""

import os
import plistlib
import shutil
import sqlite3
import sys
import tempfile
import unittest

import product
from compare import Comparison
from generate import make_case
from trial import Expected, differences_of

COMMAND = os.environ.get("PIPELINE_COMMAND")
CASES = 200


def all_of(table, column, value):
    """A statement that changes a column wherever it has a value."""
    return "UPDATE %s SET %s = %s WHERE %s NOT NULL" % (table, column, value, column)


def entity_tables(layout):
    return [layout.table(root) for root in layout.model.roots()]


def column_of(layout, role):
    for column in layout.columns.values():
        if column.role == role:
            return layout.table(column.declarer), column.name
    return None


def in_column(role, value):
    def fault(layout):
        found = column_of(layout, role)
        return [all_of(*found, value)] if found else []
    return fault


def in_each_table(statement):
    return lambda layout: [statement % {"table": table} for table in entity_tables(layout)]


def in_each_join(statement):
    def fault(layout):
        return [statement % {"table": join.table, "order": join.master.order or "NULL",
                             "owners": join.master.owners} for join in layout.joins]
    return fault


def in_joins_with_order(layout):
    return [all_of(join.table, join.master.order, join.master.order + " + 1")
            for join in layout.joins if join.master.order]


def always(*statements):
    return lambda layout: list(statements)


def without_first(kind):
    """One index or trigger of Core Data's goes."""
    return lambda layout: [("first", kind)]


def in_metadata(change):
    return lambda layout: [("metadata", change)]


def other_hash(keys):
    hashes = keys["NSStoreModelVersionHashes"]
    for name in hashes:
        hashes[name] = bytes(32)


FAULTS = {
    "a row is missing": in_each_table(
        "DELETE FROM %(table)s WHERE Z_PK = (SELECT max(Z_PK) FROM %(table)s)"),
    "a row is there twice": in_each_table(
        "INSERT INTO %(table)s (Z_PK, Z_ENT, Z_OPT) SELECT max(Z_PK) + 1, Z_ENT, Z_OPT "
        "FROM %(table)s HAVING max(Z_PK) NOT NULL"),
    "a row is of another entity": in_each_table("UPDATE %(table)s SET Z_ENT = Z_ENT + 1"),
    "a save is counted": in_each_table("UPDATE %(table)s SET Z_OPT = Z_OPT + 1"),
    "values are lost": in_column("attribute", "NULL"),
    "values are other ones": in_column("attribute", "'other'"),
    "keys lead elsewhere": in_column("key", "999999"),
    "links are lost": in_column("key", "NULL"),
    "the number next to a key is wrong": in_column("entity", "99"),
    "the place among many is wrong": in_column("order", "-1"),
    "the hidden key of a to-many is wrong": in_column("hidden", "999999"),
    "pairs are missing": in_each_join("DELETE FROM %(table)s"),
    "pairs lead elsewhere": in_each_join(
        "UPDATE OR IGNORE %(table)s SET %(owners)s = %(owners)s + 1000"),
    "places in pairs are wrong": in_joins_with_order,
    "an index is missing": without_first("index"),
    "an index is too many": in_each_table("CREATE INDEX EXTRA_%(table)s ON %(table)s (Z_OPT)"),
    "a trigger is missing": without_first("trigger"),
    "the highest key is wrong": always("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 7"),
    "an entity's name is wrong": always("UPDATE Z_PRIMARYKEY SET Z_NAME = Z_NAME || 'x'"),
    "a parent is wrong": always("UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_SUPER + 1"),
    "the store is another one": always("UPDATE Z_METADATA SET Z_UUID = 'X'"),
    "a version hash is wrong": in_metadata(other_hash),
    "a key of the application is lost": in_metadata(lambda keys: keys.pop("NSStoreType")),
    "the bits of a change are other ones": always(
        "UPDATE ACHANGE SET ZCOLUMNS = x'ffffffff' WHERE ZCOLUMNS NOT NULL"),
    "a change is of another entity": always("UPDATE ACHANGE SET ZENTITY = ZENTITY + 1"),
    "a change is lost": always("DELETE FROM ACHANGE"),
    "what was deleted left nothing": always(
        "UPDATE ACHANGE SET ZTOMBSTONE0 = NULL WHERE ZTOMBSTONE0 NOT NULL"),
}


def plant(path, statements):
    """Returns whether anything in the store was changed."""
    connection = sqlite3.connect(path, isolation_level=None)
    before = list(connection.iterdump())
    triggers = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        # Their functions are Core Data's.
        connection.execute("DROP TRIGGER " + name)
    for statement in statements:
        try:
            apply(connection, statement, triggers)
        except sqlite3.OperationalError:
            pass  # the store has no such table or column
    for _, text in triggers:
        connection.execute(text)
    changed = list(connection.iterdump()) != before
    connection.close()
    return changed


def apply(connection, statement, triggers):
    if isinstance(statement, str):
        connection.execute(statement)
    elif statement == ("first", "trigger"):
        del triggers[:1]
    elif statement == ("first", "index"):
        name = connection.execute("SELECT min(name) FROM sqlite_master WHERE type = 'index' "
                                  "AND sql NOT NULL AND name NOT LIKE 'A%'").fetchone()[0]
        if name:
            connection.execute("DROP INDEX " + name)
    else:
        blob = connection.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0]
        keys = plistlib.loads(blob)
        statement[1](keys)
        connection.execute("UPDATE Z_METADATA SET Z_PLIST = ?", (
            plistlib.dumps(keys, fmt=plistlib.FMT_BINARY),))


class Faults(unittest.TestCase):
    @unittest.skipUnless(COMMAND, "PIPELINE_COMMAND is not set")
    def test_each_planted_fault_is_found(self):
        left, missed = dict(FAULTS), []
        with tempfile.TemporaryDirectory() as folder:
            for number in range(CASES):
                case = make_case(3, number)
                for name in self.found(case, os.path.join(folder, str(number)), left, missed):
                    del left[name]
                if not left:
                    break
        self.assertEqual(missed, [])
        self.assertEqual(sorted(left), [], "faults that no case could have")
        print("faults planted and found: %d" % len(FAULTS), file=sys.stderr)

    def found(self, case, folder, left, missed):
        source = product.write_case(folder, case)
        expected = Expected(case, product.copy_store(source, folder + "-untouched"),
                            os.path.join(folder, "reference.sqlite"))
        answer = product.run(COMMAND, folder, product.copy_store(source, folder + "-usual"))
        if expected.word != "migrated" or differences_of(case, expected, source, answer):
            return []
        names = []
        for name, fault in left.items():
            copy = os.path.join(folder, "planted.sqlite")
            shutil.copy(answer.path, copy)
            if not plant(copy, fault(expected.migration.new)):
                continue
            names.append(name)
            if not Comparison(expected.path, copy, expected.migration).differences():
                missed.append(name)
        return names


if __name__ == "__main__":
    unittest.main()
