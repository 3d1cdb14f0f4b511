"""Runs the command on a case: writes models, store and pipeline file, and calls it."""

import os
import shutil
import subprocess
from dataclasses import dataclass

from model_xml import version_name, write_bundle
from store import write_store

PIPELINE = """pipeline "Case" {
  format = 1,
  models = "Case.xcdatamodeld",
  target = "%s",
}

stage "detect" {}
stage "open"   { space = "skip"%s }
stage "copy"   { accept_loss = "*"%s }
stage "validate" {}
stage "verify" {}
stage "swap"   { backup = false }
"""


@dataclass
class Answer:
    status: int
    said: str
    path: str


def write_case(folder, case):
    """The files of a case; returns the path of the store."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    write_bundle(os.path.join(folder, "Case.xcdatamodeld"), "Case", case.models)
    for start in ("auto", "clone", "empty"):
        option = "" if start == "auto" else ', start = "%s"' % start
        with open(os.path.join(folder, start + ".pipeline"), "w") as file:
            mirror = ', cloudkit = "carry"' if case.content.has_mirror else ""
            file.write(PIPELINE % (version_name("Case", len(case.models)), mirror, option))
    path = os.path.join(folder, "source", "Case.sqlite")
    os.makedirs(os.path.dirname(path))
    write_store(path, case.old, case.content)
    return path


def copy_store(path, folder):
    """Another copy of a store with its -wal and its external files."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(os.path.dirname(path), folder)
    return os.path.join(folder, os.path.basename(path))


def run(pipeline, folder, path, start="auto", workers=None):
    arguments = [pipeline, "run", os.path.join(folder, start + ".pipeline"), path, "--quiet"]
    if workers:
        arguments += ["--workers", str(workers)]
    ended = subprocess.run(arguments, capture_output=True, text=True, timeout=120)
    return Answer(ended.returncode, (ended.stdout + ended.stderr).strip(), path)
