"""Pairs from the samples: each step between two versions of their models, and their own stores."""

import glob
import json
import os
import plistlib
import random as randomness
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing

from pairs import BUNDLE, HERE, Case, Pair, plain, product

from content import make_content
from hashes import model_hashes
from model_xml import read_version
from store import Content, write_store

SAMPLES = os.path.join(os.path.dirname(os.path.dirname(HERE)), "samples")


def steps():
    """Bundle, older and newer version of each step in the models of samples/."""
    for bundle in sorted(glob.glob(os.path.join(SAMPLES, "*", "*.xcdatamodeld"))):
        names = versions(bundle)
        for old, new in zip(names, names[1:]):
            yield bundle, old, new


def versions(bundle):
    """The names of the versions in their order: Notes, Notes 2, ..."""
    names = [name[:-len(".xcdatamodel")] for name in os.listdir(bundle)
             if name.endswith(".xcdatamodel")]
    return sorted(names, key=lambda name: int((re.findall(r" (\d+)$", name) or [1])[0]))


def model(bundle, version):
    return read_version(os.path.join(bundle, version + ".xcdatamodel", "contents"))


def step_pair(folder, bundle, old, new):
    """Two versions, and a store with random objects."""
    store = write_models(folder, bundle, old, new)
    content = some_content(model(bundle, old), new)
    write_store(store, model(bundle, old), content)
    return Pair("%s to %s" % (old, new), folder,
                Case(0, 0, [model(bundle, old), model(bundle, new)], content), old, new, store)


def write_models(folder, bundle, old, new):
    """A bundle of two versions and a pipeline file; returns the path for a store."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in (old, new):
        shutil.copytree(os.path.join(bundle, name + ".xcdatamodel"),
                        os.path.join(folder, BUNDLE, name + ".xcdatamodel"))
    with open(os.path.join(folder, BUNDLE, ".xccurrentversion"), "wb") as file:
        plistlib.dump({"_XCCurrentVersionName": new + ".xcdatamodel"}, file)
    with open(os.path.join(folder, "auto.pipeline"), "w") as file:
        file.write(product.PIPELINE % (new, "", ""))
    os.makedirs(os.path.join(folder, "source"))
    return os.path.join(folder, "source", "Case.sqlite")


def some_content(old, seed, most=12):
    """Random objects: of some tries those of the most entities, for a try may have none."""
    random = randomness.Random(seed)
    tries = [plain(old, make_content(random, old, most)) for _ in range(12)]
    return max(tries, key=lambda each: (len({o.entity for o in each.objects}), len(each.objects)))


def stores(pipeline, work):
    """Path and bundle of the stores that `pipeline sample` makes."""
    listed = subprocess.run([pipeline, "sample", "--json"], check=True, capture_output=True)
    for name in [each["name"] for each in json.loads(listed.stdout)["samples"]]:
        folder = os.path.join(work, "samples", name)
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([pipeline, "sample", name, folder, "--size", "small"], check=True,
                       capture_output=True)
        (bundle,) = glob.glob(os.path.join(folder, "*.xcdatamodeld"))
        for ending in ("sqlite", "store"):
            for store in sorted(glob.glob(os.path.join(folder, "*." + ending))):
                if version_of(store, bundle) != versions(bundle)[-1]:
                    yield store, bundle


def version_of(store, bundle):
    """The version whose hashes the store has."""
    with closing(sqlite3.connect("file:%s?mode=ro" % store, uri=True)) as connection:
        (blob,) = connection.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()
    hashes = plistlib.loads(blob)["NSStoreModelVersionHashes"]
    return next(name for name in versions(bundle) if model_hashes(model(bundle, name)) == hashes)


def store_pair(folder, store, bundle):
    """A sample's own store, with the -wal and the history that it has, and the newest version."""
    old, new = version_of(store, bundle), versions(bundle)[-1]
    copy = write_models(folder, bundle, old, new)
    for end in ("", "-wal"):
        if os.path.exists(store + end):
            shutil.copy(store + end, copy + end)
    support = os.path.join(os.path.dirname(store), ".%s_SUPPORT" % stem(store))
    if os.path.isdir(support):
        shutil.copytree(support, os.path.join(os.path.dirname(copy), ".Case_SUPPORT"))
    with closing(sqlite3.connect("file:%s?mode=ro" % store, uri=True)) as connection:
        (history,) = connection.execute(
            "SELECT count(*) FROM sqlite_master WHERE name = 'ATRANSACTION'").fetchone()
    case = Case(0, 0, [model(bundle, old), model(bundle, new)], Content(has_history=history > 0))
    return Pair("sample " + stem(store), folder, case, old, new, copy)


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]
