#!/usr/bin/env python3
"""Compares the command with the reference on random cases.

    python3 Tests/Differential/differential.py --pipeline PATH --cases 300 --seed 1

Prints one line for each case that differs, by the kind of its first difference, makes the first of
each kind small and keeps it, and ends with how often each rule was met. The status is 1 when
anything differs.
"""

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import product
from generate import make_case
from model_xml import version_name
from shrink import shrink
from trial import Expected, try_case

LEAST = 20


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pipeline", help="the command; without it rules are counted alone")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int, help="this case alone")
    parser.add_argument("--keep", metavar="DIR", help="where small cases that differ are kept")
    parser.add_argument("--ways", action="store_true",
                        help="compare the command's own ways with each other too")
    parser.add_argument("--shrink-seconds", type=float, default=40, metavar="N",
                        help="how long one case is made smaller")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--kind", default="", metavar="TEXT",
                        help="make small only differences whose kind begins with TEXT")
    parser.add_argument("--jobs", type=int, default=1, help="cases at a time")
    return parser.parse_args()


class Campaign:
    def __init__(self, options):
        self.options = options
        self.keep = options.keep or tempfile.mkdtemp(prefix="differential-")
        self.rules, self.kinds, self.words = Counter(), Counter(), Counter()
        self.small = {}

    def folder(self, number, name="case"):
        return os.path.join(self.keep, "%d-%d-%s" % (self.options.seed, number, name))

    def run(self):
        options = self.options
        numbers = range(options.cases) if options.case is None else [options.case]
        with ThreadPoolExecutor(options.jobs) as pool:
            for number, (found, expected) in zip(numbers, pool.map(self.one, numbers)):
                self.rules.update(rule for rule, times in expected.met.items() if times)
                word = expected.word
                self.words[word[:70] if word[:2] == "13" else word] += 1
                if found:
                    self.tell(number, found)

    def one(self, number):
        case = make_case(self.options.seed, number)
        folder = self.folder(number)
        if not self.options.pipeline:
            source = product.write_case(folder, case)
            result = [], Expected(case, source, os.path.join(folder, "reference.sqlite"))
        else:
            result = try_case(self.options.pipeline, folder, case, self.options.ways)
        if self.options.case is None:
            product.shutil.rmtree(folder)
        return result

    def tell(self, number, found):
        kinds = list(dict.fromkeys(each.kind for each in found))
        print("seed %d, case %d differs:" % (self.options.seed, number))
        for each in found[:4]:
            print("    " + str(each).replace("\n", "\n        ")[:600])
        for kind in kinds:
            self.kinds[kind] += 1
            if kind not in self.small and not self.options.no_shrink \
                    and kind.startswith(self.options.kind):
                self.small[kind] = self.shrink(number, kind)
        sys.stdout.flush()

    def shrink(self, number, kind):
        """The smallest case found that has a difference of this kind, kept in a folder."""
        folder = self.folder(number, "small-%d" % len(self.small))
        ways = kind.startswith("way ")

        def shows(case):
            found, _ = try_case(self.options.pipeline, folder, case, ways)
            return any(each.kind == kind for each in found)

        case = make_case(self.options.seed, number)
        small = shrink(case, shows, self.options.shrink_seconds)
        found, _ = try_case(self.options.pipeline, folder, small, ways)
        with open(os.path.join(folder, "difference.txt"), "w") as file:
            file.write("Seed %d, case %d, made smaller, to %s\n\n" % (
                self.options.seed, number, version_name("Case", len(small.models))))
            file.write("\n".join(map(str, found)) + "\n")
        print("    %s\n    the smallest such case: %s" % (kind[:100], folder))
        return folder

    def report(self, seconds):
        print("\nWhat the reference said")
        for word, times in self.words.most_common():
            print("%6d  %s" % (times, word))
        print("\nRules met, by the number of cases (< : fewer than %d)" % LEAST)
        for rule, times in sorted(self.rules.items()):
            print("%6d%s %s" % (times, " " if times >= LEAST else "<", rule))
        print("\nKinds of differences, by the number of cases")
        for kind, times in self.kinds.most_common():
            print("%6d  %s" % (times, kind))
            if kind in self.small:
                print("        %s" % self.small[kind])
        print("\n%d cases, %.2f s each" % (sum(self.words.values()),
                                          seconds / max(1, sum(self.words.values()))))


def main():
    campaign = Campaign(arguments())
    started = time.time()
    campaign.run()
    campaign.report(time.time() - started)
    return 1 if campaign.kinds else 0


if __name__ == "__main__":
    sys.exit(main())
