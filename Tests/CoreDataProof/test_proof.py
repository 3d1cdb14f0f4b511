"""The proof with an imitation of Core Data: the reference of Tests/Differential."""

import contextlib
import io
import os
import plistlib
import sqlite3
import tempfile
import unittest

import pairs
import proof
import samples
import verdict
from core_data import MIGRATED, REFUSED, Answer, take_away_classes
from hashes import model_hashes
from infer import Refused
from reference import NothingToDo, migrate

COMMAND = os.environ.get("PIPELINE_COMMAND")


class ModelTests(unittest.TestCase):
    def test_classes_are_taken_away(self):
        with tempfile.NamedTemporaryFile("w+", suffix=".xml") as file:
            file.write('<entity name="A" representedClassName="A" syncable="YES"/>')
            file.flush()
            take_away_classes(file.name)
            with open(file.name) as changed:
                self.assertEqual(changed.read(), '<entity name="A" syncable="YES"/>')


class Imitation:
    """Migrates as the reference does; `fault` changes what it made."""

    def __init__(self, fault=None):
        self.fault = fault

    def compiled(self, pair):
        return Answer(0, "")

    def hashes(self, pair):
        return {pair.old: model_hashes(pair.case.old), pair.new: model_hashes(pair.case.new)}

    def read(self, pair, store, version):
        return Answer(0, "")

    def migrate(self, pair, store):
        made = store + ".made"
        try:
            migrate(store, pair.case.old, pair.case.new, made)
        except NothingToDo:
            return Answer(MIGRATED, "")
        except Refused as refused:
            return Answer(REFUSED, "%d %s" % (refused.code, refused.reason))
        os.replace(made, store)
        for end in ("-wal", "-shm"):
            if os.path.exists(store + end):
                os.remove(store + end)
        if self.fault:
            self.change(pair, store)
        return Answer(MIGRATED, "")

    def change(self, pair, store):
        connection = sqlite3.connect(store)
        self.fault(connection)
        connection.commit()
        connection.close()


@unittest.skipUnless(COMMAND, "PIPELINE_COMMAND is missing")
class ProofTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def table(self, core_data, makers):
        """What the proof prints, and whether it is content."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            fine = proof.Proof(COMMAND, core_data, self.folder).run(makers)
        return fine, said.getvalue()

    def ledger(self):
        """The step from Ledger to Ledger 2, which both sides take."""
        step = next(each for each in samples.steps() if each[2] == "Ledger 2")
        return [lambda: samples.step_pair(os.path.join(self.folder, "ledger"), *step)]

    def refused(self):
        """A random pair that Core Data refuses."""
        for number in range(100):
            pair = pairs.random_pair(os.path.join(self.folder, "refused"), 1, number)
            if Imitation().migrate(pair, pair.store).status == REFUSED:
                return [lambda: pairs.random_pair(pair.folder, 1, number)]
        return self.fail("none of a hundred pairs is refused")

    def lost(self):
        """A random pair after which Core Data leaves links that lead to nothing."""
        for number in range(1000):
            pair = pairs.random_pair(os.path.join(self.folder, "lost"), 1, number)
            if Imitation().migrate(pair, pair.store).status == MIGRATED \
                    and verdict.take_away_lost_links(pair.store, pair.case.new):
                return [lambda: pairs.random_pair(pair.folder, 1, number)]
        return self.fail("none of a thousand pairs loses links")

    def differs(self, core_data, makers, words):
        fine, said = self.table(core_data, makers)
        self.assertFalse(fine, said)
        self.assertIn(proof.DIFFERENT, said)
        self.assertIn(words, said)

    def test_both_sides_agree(self):
        fine, said = self.table(Imitation(), proof.makers(COMMAND, self.folder, 1, 60))
        self.assertTrue(fine, said)
        for words in ("Journal 3 to Journal 4", "sample default", "random 60", proof.REFUSE):
            self.assertIn(words, said)

    def test_links_that_lead_to_nothing_are_expected(self):
        fine, said = self.table(Imitation(), self.lost())
        self.assertTrue(fine, said)
        self.assertIn("links lead to nothing", said)

    def test_another_value(self):
        self.differs(Imitation(lambda store: store.execute("UPDATE ZPAYMENT SET ZMEMO = 'other'")),
                     self.ledger(), "pipeline diff: status 1")

    def test_an_object_too_few(self):
        self.differs(Imitation(lambda store: store.execute("DELETE FROM ZPAYMENT")),
                     self.ledger(), "pipeline diff: status 1")

    def test_another_column(self):
        add = "ALTER TABLE ZPAYMENT ADD ZNEW VARCHAR"
        self.differs(Imitation(lambda store: store.execute(add)),
                     self.ledger(), "ZPAYMENT has the columns")

    def test_another_version_hash(self):
        def change(store):
            (blob,) = store.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()
            keys = plistlib.loads(blob)
            keys["NSStoreModelVersionHashes"]["Payment"] = bytes(32)
            blob = plistlib.dumps(keys, fmt=plistlib.FMT_BINARY)
            store.execute("UPDATE Z_METADATA SET Z_PLIST = ?", (blob,))

        self.differs(Imitation(change), self.ledger(), "version hash of Payment")

    def test_another_hash_by_the_compiler(self):
        other = Imitation()
        other.hashes = lambda pair: {pair.old: {"Account": bytes(32)}}
        self.differs(other, self.ledger(), "Ledger, compiled: version hash of Account")

    def test_core_data_refuses_alone(self):
        refusing = Imitation()
        refusing.migrate = lambda pair, store: Answer(
            REFUSED, "CoreData: error: much\ncore-data: 134190 no\nCoreData: more")
        self.differs(refusing, self.ledger(), "Core Data: 134190 no\n")

    def test_the_command_refuses_alone(self):
        willing = Imitation()
        willing.migrate = lambda pair, store: Answer(MIGRATED, "")
        self.differs(willing, self.refused(), "status 2")

    def test_core_data_ends_with_another_error(self):
        broken = Imitation()
        broken.migrate = lambda pair, store: Answer(1, "134130 the model is not found")
        self.differs(broken, self.refused(), "134130")

    def test_core_data_cannot_read_our_result(self):
        blind = Imitation()
        blind.read = lambda pair, _, version: Answer(int(version == pair.new), "no")
        self.differs(blind, self.ledger(), "does not read our result")

    def test_core_data_cannot_read_the_source(self):
        blind = Imitation()
        blind.read = lambda pair, store, version: Answer(1, "no")
        self.differs(blind, self.ledger(), "does not read the source")

    def test_a_mistake_of_the_proof_is_a_line(self):
        broken = Imitation()
        broken.compiled = lambda pair: 1 / 0
        self.differs(broken, self.ledger(), "ZeroDivisionError")

    def test_nothing_to_compare(self):
        unwilling = Imitation()
        unwilling.compiled = lambda pair: Answer(1, "no")
        fine, said = self.table(unwilling, self.ledger())
        self.assertFalse(fine)
        self.assertIn(proof.NO_MODEL, said)


if __name__ == "__main__":
    unittest.main()
