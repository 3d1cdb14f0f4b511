"""The command on the model pairs with answers, with random objects, against the reference."""

import json
import os
import random as randomness
import shutil
import tempfile
import unittest

import product
from content import make_content
from generate import Case
from model_xml import read_version
from store import write_store
from trial import Expected, differences_of

COMMAND = os.environ.get("PIPELINE_COMMAND")
CORPUS = os.environ.get("PIPELINE_CORPUS")
INFER = os.environ.get("PIPELINE_INFER") or (
    os.path.join(os.path.dirname(CORPUS.rstrip("/")), "infer") if CORPUS else None)


def objects_of(case, old, most):
    content = make_content(randomness.Random(case["case"]), old, most)
    content.files.clear()
    # Some of the pairs rename what a mirrored store may not rename.
    content.has_mirror = False
    return content


def prepared(folder, case, most):
    """The store of a pair's older version, and what the reference says of it."""
    bundle = os.path.join(INFER, case["case"] + ".xcdatamodeld")
    os.makedirs(folder)
    shutil.copytree(bundle, os.path.join(folder, "Case.xcdatamodeld"))
    models = [read_version(os.path.join(bundle, case[key] + ".xcdatamodel", "contents"))
              for key in ("from", "to")]
    with open(os.path.join(folder, "auto.pipeline"), "w") as file:
        file.write(product.PIPELINE % (case["to"], "", ""))
    path = os.path.join(folder, "source", "Case.sqlite")
    os.makedirs(os.path.dirname(path))
    content = objects_of(case, models[0], most)
    write_store(path, models[0], content)
    tried = Case(0, 0, models, content)
    expected = Expected(tried, product.copy_store(path, os.path.join(folder, "untouched")),
                        os.path.join(folder, "reference.sqlite"))
    return tried, path, expected


@unittest.skipUnless(COMMAND and INFER and os.path.isdir(INFER),
                     "PIPELINE_COMMAND or the model pairs are missing")
class Pairs(unittest.TestCase):
    def test_the_command_does_what_the_reference_does(self):
        with open(os.path.join(INFER, "expected.json")) as file:
            cases = json.load(file)
        with tempfile.TemporaryDirectory() as folder:
            for case in cases:
                for most in (0, 12):
                    with self.subTest(case["case"], most=most):
                        self.compare(case, os.path.join(folder, "%s-%d" % (case["case"], most)),
                                     most)

    def compare(self, case, folder, most):
        tried, path, expected = prepared(folder, case, most)
        if case["accept"] is True:
            self.assertIn(expected.word, ("migrated", "nothing to do"))
        if case["accept"] is False:
            self.assertTrue(expected.word.startswith("134190"))
        answer = product.run(COMMAND, folder, product.copy_store(
            path, os.path.join(folder, "usual")))
        self.assertEqual([str(each) for each in differences_of(tried, expected, path, answer)], [])


if __name__ == "__main__":
    unittest.main()
