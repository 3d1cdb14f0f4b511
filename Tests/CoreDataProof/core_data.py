"""Apple's model compiler and Core Data itself, each asked in a process of its own."""

import glob
import os
import plistlib
import re
import shutil
import subprocess
from dataclasses import dataclass

from pairs import BUNDLE

MIGRATED, REFUSED = 0, 3
PREFIX = "core-data: "


@dataclass
class Answer:
    """The status of a process, and what it said."""

    status: int
    said: str

    @property
    def reason(self):
        """The line of the program itself: Core Data writes many of its own around it."""
        lines = [line for line in self.said.splitlines() if line.strip()] or [""]
        own = [line for line in lines if line.startswith(PREFIX)] or lines
        return own[-1].removeprefix(PREFIX)


class CoreData:
    """`program` is what .ci/core-data compiled."""

    def __init__(self, program):
        self.program = program
        self.sdk = subprocess.run(["xcrun", "--sdk", "macosx", "--show-sdk-path"], check=True,
                                  capture_output=True, text=True).stdout.strip()

    def compiled(self, pair):
        """Compiles the models; the answer is momc's."""
        sources = os.path.join(pair.folder, "sources", BUNDLE)
        # The recorded hashes are for the command: momc makes its own.
        shutil.copytree(pair.models, sources, ignore=shutil.ignore_patterns("VersionInfo.plist"))
        for version in glob.glob(os.path.join(sources, "*", "contents")):
            take_away_classes(version)
        built = os.path.join(pair.folder, "models")
        os.makedirs(built)
        # "Core Data looks for models in the bundles returned by NSBundle's allBundles and
        # allFrameworks methods": the main bundle of a command is the folder it lies in.
        shutil.copy(self.program, os.path.join(built, "core-data"))
        return run("xcrun", "momc", "--sdkroot", self.sdk, "--macosx-deployment-target", "15.0",
                   os.path.abspath(sources), os.path.abspath(built))

    def hashes(self, pair):
        """The version hashes that momc wrote, by version and entity."""
        with open(os.path.join(pair.folder, "models", "Case.momd", "VersionInfo.plist"),
                  "rb") as file:
            return plistlib.load(file).get("NSManagedObjectModel_VersionHashes", {})

    def read(self, pair, store, version):
        """Opens a store without migration and reads every object."""
        model = os.path.join(pair.folder, "models", "Case.momd", version + ".mom")
        return self.ask(pair, "read", model, store)

    def migrate(self, pair, store):
        """Migrates a store by inference to the newest version."""
        model = os.path.join(pair.folder, "models", "Case.momd")
        return self.ask(pair, "migrate", model, store)

    def ask(self, pair, verb, model, store):
        program = os.path.join(pair.folder, "models", "core-data")
        history = ["--history"] if pair.case.content.has_history else []
        return run(program, verb, model, store, *history)


def take_away_classes(path):
    """Makes every object an NSManagedObject: the models' classes are not in the program."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(re.sub(r' (representedClassName|codeGenerationType)="[^"]*"', "", text))


def run(*command):
    """What a command answers; one that does not end is an answer too."""
    try:
        ended = subprocess.run(command, capture_output=True, text=True, errors="replace",
                               stdin=subprocess.DEVNULL, timeout=120)
    except subprocess.TimeoutExpired:
        return Answer(-1, "it did not end in two minutes")
    return Answer(ended.returncode, (ended.stderr + ended.stdout).strip())
