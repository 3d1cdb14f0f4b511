"""One case tried: the product's answer compared with the reference's, and its ways with each other."""

import os
import re
from collections import Counter

import product
from compare import Comparison, Difference, compare_files, same_files
from infer import Refused
from reference import NothingToDo, migrate

WAYS = (("clone", None), ("empty", None), ("auto", 1), ("auto", 2))


class Expected:
    """What the reference says of a case."""

    def __init__(self, case, source, path):
        self.met, self.migration, self.path = Counter(), None, path
        try:
            self.migration = migrate(source, case.old, case.new, path, self.met)
            self.word = "migrated"
        except NothingToDo:
            self.word = "nothing to do"
            self.met["equal hashes: nothing to do"] += 1
        except Refused as refused:
            self.word = str(refused)
            self.met["refused: %d %s" % (refused.code, refused.reason[:60])] += 1
            self.refused = refused

    @property
    def statuses(self):
        if self.word in ("migrated", "nothing to do"):
            return (0,)
        return (2,) if self.word.startswith("134190") else (1, 2)


def sense(said, case):
    """The product's words without names, so that one cause has one text."""
    lines = [line for line in said.splitlines() if line.strip() and "warning:" not in line]
    text = " ".join(lines[:2]).split(" Say so in")[0][:200]
    text = re.sub(r"\S*\.(pipeline|sqlite|xcdatamodeld)(:\d+:)?", "FILE", text)
    names = set(case.old.entities) | set(case.new.entities)
    for model in case.models:
        for entity in model.entities.values():
            names |= {p.name for p in entity.attributes + entity.relationships}
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(r"(?<!\w)%s(?!\w)" % re.escape(name), "N", text)
    return text


def refuses_lost_links(expected, source, answer):
    """A link to an object that is gone is taken away; one that must be there ends the run."""
    migration = expected.migration
    if not migration or answer.status not in (1, 3) or not same_files(source, answer.path):
        return False
    names = mandatory_lost(migration)
    said = re.findall(r"^ +\w+ \d+ +(\w+) +(?:mandatory|at least )", answer.said, re.MULTILINE)
    said += re.findall(r"\w+\.(\w+) of \w+, Z_PK \d+:?\s+It must lead to an object", answer.said)
    return bool(said) and set(said) <= names


def mandatory_lost(migration):
    """The mandatory relationships that some object has lost a link of."""
    cells = {(table, column) for (table, _, column), values in migration.also.items()
             if None in values}
    cells |= {(table, None) for table, _ in migration.lost_rows}
    found = set()
    for entity in migration.new.model.entities:
        for declarer, each in migration.new.model.relationships(entity):
            if each.optional or each.transient:
                continue
            joined = migration.new.join(declarer, each.name)
            column = migration.new.columns.get((declarer, each.name, "key"))
            if joined and (joined[0].table, None) in cells:
                found.add(each.name)
            elif column and (migration.new.table(declarer), column.name) in cells:
                found.add(each.name)
            elif each.to_many and any(None in v for v in migration.also.values()):
                found.add(each.name)
    return found


def differences_of(case, expected, source, answer):
    if expected.word == "migrated" and refuses_lost_links(expected, source, answer):
        return []
    if answer.status not in expected.statuses:
        return [Difference("status %d, reference: %s" % (
            answer.status, expected.word if expected.word[:2] != "13" else expected.word[:70])
            + " | " + sense(answer.said, case), answer.said)]
    if expected.word != "migrated":
        if same_files(source, answer.path):
            return []
        return [Difference("the store changed, reference: %s" % expected.word[:70], answer.said)]
    found = Comparison(expected.path, answer.path, expected.migration).differences()
    return found + compare_files(expected.migration, expected.path, source, answer.path)


def try_ways(pipeline, folder, source, answer):
    """The other ways of the product give the same store as the usual one."""
    found = []
    for start, workers in WAYS:
        name = "%s-%s" % (start, workers)
        other = product.run(pipeline, folder, product.copy_store(
            source, os.path.join(folder, name)), start, workers)
        if other.status != answer.status:
            found.append(Difference("way %s: status %d, usual %d" % (
                name, other.status, answer.status), other.said))
        elif answer.status == 0:
            found += [Difference("way %s, %s" % (name, each.kind), each.detail)
                      for each in Comparison(answer.path, other.path).differences()]
    return found


def try_case(pipeline, folder, case, ways=False):
    """Returns the differences and what the reference met."""
    source = product.write_case(folder, case)
    expected = Expected(case, product.copy_store(source, os.path.join(folder, "untouched")),
                        os.path.join(folder, "reference.sqlite"))
    answer = product.run(pipeline, folder, product.copy_store(
        source, os.path.join(folder, "usual")))
    found = differences_of(case, expected, source, answer)
    if ways:
        found += try_ways(pipeline, folder, source, answer)
    return found, expected
