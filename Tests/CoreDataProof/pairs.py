"""Pairs of model versions, each with a store of the first, as both sides are to migrate it."""

import itertools
import os
import plistlib
import sys
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Differential"))

import product  # noqa: E402
from generate import Case, make_case  # noqa: E402
from model_xml import version_name  # noqa: E402

BUNDLE = "Case.xcdatamodeld"
# The newest that every macOS since 15 has outgrown.
FRAMEWORK = 1344
# "A property name cannot be the same as any no-parameter method name of NSObject".
RESERVED = {"zone"}


@dataclass
class Pair:
    """A case on disk: models, a pipeline file and a store."""

    name: str
    folder: str
    case: Case
    old: str   # the versions' names
    new: str
    store: str

    @property
    def models(self):
        return os.path.join(self.folder, BUNDLE)


def plain(model, content):
    """Changes random content into what Core Data itself can read.

    The tables of a mirror depend on its private models, so they are left out. Data may become
    Transformable, and Core Data decodes that: random bytes are put into an archive.
    """
    content.has_mirror = False
    content.framework = min(content.framework, FRAMEWORK)
    for each in content.objects:
        for _, attribute in model.attributes(each.entity):
            value = each.values.get(attribute.name)
            if isinstance(value, bytes) and attribute.type in ("Binary", "Transformable") \
                    and not attribute.external:
                each.values[attribute.name] = archive(value.hex())
    return content


def archive(text):
    """What NSKeyedArchiver makes from a text."""
    return plistlib.dumps({
        "$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": plistlib.UID(1)},
        "$objects": ["$null", text]}, fmt=plistlib.FMT_BINARY)


def random_numbers(seed, count):
    """The first numbers whose cases have no name that Core Data keeps for itself."""
    numbers = (number for number in itertools.count() if not RESERVED & names(seed, number))
    return itertools.islice(numbers, count)


def names(seed, number):
    """The names of all properties of a case, and of all their parts."""
    return {part for model in make_case(seed, number).models
            for entity in model.entities.values()
            for each in entity.attributes + entity.relationships
            for part in each.name.split(".")}


def random_pair(folder, seed, number):
    """One of the cases that `make differential` makes."""
    case = make_case(seed, number)
    plain(case.old, case.content)
    store = product.write_case(folder, case)
    return Pair("random %d" % number, folder, case, "Case",
                version_name("Case", len(case.models)), store)
