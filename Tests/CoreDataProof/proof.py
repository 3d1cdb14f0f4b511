#!/usr/bin/env python3
"""Compares what the command makes of stores with what Core Data itself makes of them.

    python3 Tests/CoreDataProof/proof.py --pipeline PATH --core-data PROGRAM --work DIR

Each pair of model versions has a store of the older one. Core Data migrates a copy by inference,
the command another, and the results are compared. The table has a line for each pair; the status is
1 when one differs, or when none could be compared.
"""

import argparse
import os
import shutil
import sys
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import pairs
import samples
import verdict
from core_data import MIGRATED, REFUSED, CoreData
from trial import Expected, refuses_lost_links

SAME, REFUSE, LOST = "same", "both refuse", "expected: a mandatory link leads to nothing"
NO_MODEL, DIFFERENT = "momc refuses the models", "DIFFERENT"


@dataclass
class Row:
    """A line of the table."""

    name: str
    apple: str = "-"
    ours: str = "-"
    result: str = DIFFERENT
    detail: str = ""

    def __str__(self):
        text = "%-26s %-22s %-10s %s" % (self.name, self.apple, self.ours, self.result)
        return text + "".join("\n    " + line for line in self.detail.splitlines())


class Proof:
    """The two sides, and where their files lie."""

    def __init__(self, pipeline, core_data, work):
        self.pipeline, self.core_data, self.work = pipeline, core_data, work

    def try_pair(self, pair):
        """The line of a pair; the files of one that differs stay."""
        try:
            row = self.row(pair)
        except Exception:  # a mistake of the proof itself, which must not hide the other lines
            row = Row(pair.name, detail=traceback.format_exc())
        if row.result != DIFFERENT:
            shutil.rmtree(pair.folder)
        return row

    def row(self, pair):
        """Has both sides migrate a copy of the pair's store."""
        row = Row(pair.name)
        answer = self.core_data.compiled(pair)
        if answer.status != 0:
            row.result, row.detail = NO_MODEL, answer.said
            return row
        found = verdict.different_models(pair, self.core_data.hashes(pair))
        if found:
            row.detail = "\n".join(found)
            return row
        answer = self.core_data.read(pair, self.copy(pair, "read"), pair.old)
        if answer.status != 0:
            row.detail = "Core Data does not read the source: " + answer.said
            return row
        self.migrate(pair, row)
        return row

    def copy(self, pair, name):
        """Another copy of the pair's store, with its -wal and its external files."""
        return pairs.product.copy_store(pair.store, os.path.join(pair.folder, name))

    def migrate(self, pair, row):
        apple, ours = self.copy(pair, "apple"), self.copy(pair, "ours")
        asked = self.core_data.migrate(pair, apple)
        answered = pairs.product.run(self.pipeline, pair.folder, ours)
        row.apple = {MIGRATED: "migrated", REFUSED: "refused"}.get(
            asked.status, "status %d" % asked.status)
        row.ours = "migrated" if answered.status == 0 else "status %d" % answered.status
        row.detail = "Core Data: %s\npipeline: %s" % (asked.reason, answered.said)
        if asked.status == REFUSED and answered.status in (1, 2, 3):
            row.result = REFUSE
            row.detail = asked.reason
        elif asked.status == MIGRATED and answered.status == 0:
            self.compare(pair, row, apple, ours)
        elif asked.status == MIGRATED and self.is_lost_link(pair, answered):
            row.result, row.detail = LOST, ""

    def is_lost_link(self, pair, answered):
        """Whether the command refuses only because a mandatory link leads to nothing."""
        untouched = self.copy(pair, "untouched")
        reference = os.path.join(pair.folder, "reference.sqlite")
        expected = Expected(pair.case, untouched, reference)
        return refuses_lost_links(expected, pair.store, answered)

    def compare(self, pair, row, apple, ours):
        found = verdict.different_hashes(apple, ours) + verdict.different_tables(apple, ours)
        lost = 0
        if not found:
            lost = verdict.take_away_lost_links(apple, pair.case.new)
            found = verdict.different_objects(self.pipeline, pair, apple, ours)
        answer = self.core_data.read(pair, ours, pair.new)
        if answer.status != 0:
            found.append("Core Data does not read our result: " + answer.said)
        row.detail = "\n".join(found)
        if not found:
            row.result = SAME if not lost else "%s; expected: %d links lead to nothing" % (
                SAME, lost)

    def run(self, makers):
        """Prints the table; true when nothing differs and something was compared."""
        rows = []
        print(Row("case", "Core Data", "pipeline", "result"))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for row in pool.map(lambda made: self.try_pair(made()), makers):
                rows.append(row)
                print(row, flush=True)
        results = Counter(row.result.partition(";")[0] for row in rows)
        print("\n" + ", ".join("%d %s" % (times, name) for name, times in results.most_common()))
        return results[DIFFERENT] == 0 and results[SAME] > 0


def makers(pipeline, work, seed, count):
    """Functions that write the pairs: a pair is written when its turn comes."""
    for number, step in enumerate(samples.steps()):
        yield partial(samples.step_pair, os.path.join(work, "step-%d" % number), *step)
    for number, store in enumerate(samples.stores(pipeline, work)):
        yield partial(samples.store_pair, os.path.join(work, "sample-%d" % number), *store)
    for number in pairs.random_numbers(seed, count):
        yield partial(pairs.random_pair, os.path.join(work, "random-%d" % number), seed, number)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pipeline", required=True, help="the command")
    parser.add_argument("--core-data", required=True, help="the program that asks Core Data")
    parser.add_argument("--work", required=True, help="a folder for what differs")
    parser.add_argument("--cases", type=int, default=300, help="how many random pairs")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    proof = Proof(options.pipeline, CoreData(options.core_data), options.work)
    made = makers(options.pipeline, options.work, options.seed, options.cases)
    return 0 if proof.run(made) else 1


if __name__ == "__main__":
    sys.exit(main())
