"""The package's targets, as its manifest describes them."""

import json
import re
from pathlib import Path

from sdk import output


class Target:
    """A target with its settings for one system and some traits, in a debug build."""

    def __init__(self, root, described, declared, system, traits):
        self.name = described["name"]
        self.module = described["c99name"]
        self.folder = root / described["path"]
        self.headers = self.folder / (declared.get("publicHeadersPath") or "include")
        self.is_system = described["type"] == "system-target"
        self.is_test = described["type"] == "test"
        self.is_clang = described["module_type"] == "ClangTarget"
        self.is_swift = described["module_type"] == "SwiftTarget"
        self.sources = [self.folder / source for source in described.get("sources", [])]
        resources = described.get("resources", [])
        self.resources = [
            Path(each["path"]) for each in resources if "embed_in_code" in each["rule"]
        ]
        self.has_bundle = len(self.resources) < len(resources)
        self.dependencies = [
            name for name, condition in map(dependency, declared["dependencies"])
            if holds(condition, system, traits)
        ]
        self.settings = [
            each for each in declared["settings"]
            if holds(each.get("condition"), system, traits)
        ]

    @property
    def headers_or_folder(self):
        """Where a C target's module map lies, if it has one."""
        return self.folder if self.is_system else self.headers

    @property
    def is_program(self):
        """Whether the target has code at its top level."""
        return any(source.name == "main.swift" for source in self.sources)

    def flags(self, tool):
        """The compiler's options for the settings of "swift" or "c"."""
        found = []
        for setting in self.settings:
            if setting["tool"] == tool:
                (kind, value), = setting["kind"].items()
                # Paths of a manifest begin in the target's folder.
                value = self.folder / value["_0"] if kind.endswith("Path") else value.get("_0")
                found += FLAGS[tool][kind](value)
        return found


class LooseProgram(Target):
    """A program that is no target: a script compiles it, on a Mac."""

    def __init__(self, folder):
        self.name = self.module = folder.name
        self.folder = folder
        self.sources = sorted(folder.glob("*.swift"))
        self.is_system = self.is_clang = self.has_bundle = False
        # Nothing imports it, as nothing imports a test.
        self.is_swift = self.is_test = True
        self.resources, self.dependencies, self.settings = [], [], []


def dependency(declared):
    """The name that a dependency has, and its condition."""
    (kind, values), = declared.items()
    return values[0], values[-1] if isinstance(values[-1], dict) else None


def default_traits(declared):
    """The traits that a build has when none is named, and those that they enable."""
    enables = {each["name"]: each["enabledTraits"] for each in declared.get("traits", [])}
    found, left = set(), ["default"]
    while left:
        new = set(enables.get(left.pop(), [])) - found
        found |= new
        left += new
    return found


def holds(condition, system, traits=frozenset()):
    """Whether a condition of the manifest is true of a debug build for a system."""
    if not condition:
        return True
    name = re.match(r"[a-z]*", system).group().replace("macosx", "macos")
    platforms, wanted = condition.get("platformNames", []), condition.get("traits", [])
    return (
        (not platforms or name in platforms)
        and condition.get("config", "debug") == "debug"
        and (not wanted or not traits.isdisjoint(wanted))
    )


# A setting that is not here ends the check with a KeyError: a new one must not be left out.
FLAGS = {
    "swift": {
        "strictMemorySafety": lambda _: ["-strict-memory-safety"],
        "treatAllWarnings": lambda level: ["-warnings-as-errors"] if level == "error" else [],
        "enableUpcomingFeature": lambda name: ["-enable-upcoming-feature", name],
        "enableExperimentalFeature": lambda name: ["-enable-experimental-feature", name],
        "define": lambda name: ["-D", name],
    },
    "c": {
        "enableWarning": lambda name: [f"-W{name}"],
        "disableWarning": lambda name: [f"-Wno-{name}"],
        "treatAllWarnings": lambda level: ["-Werror"] if level == "error" else [],
        "define": lambda name: [f"-D{name}"],
        "headerSearchPath": lambda folder: ["-I", str(folder)],
    },
}


# The product for applications on systems where a command has no place.
APP = "StorePipelineApp"

# The program that .ci/core-data compiles.
LOOSE = "Tests/CoreDataProof"


class Package:
    """A package for one system, its targets sorted so that each comes after those it needs."""

    def __init__(self, root, system):
        self.root = root
        described = json.loads(output("swift", "package", "describe", "--type", "json", cwd=root))
        declared = json.loads(output("swift", "package", "dump-package", cwd=root))
        self.name = described["name"]
        by_name = {each["name"]: each for each in declared["targets"]}
        traits = default_traits(declared)
        self.targets = {
            each["name"]: Target(root, each, by_name[each["name"]], system, traits)
            for each in described["targets"]
        }
        self.roots = self.chosen(declared["products"], system)
        if system.startswith("macosx") and (root / LOOSE).is_dir():
            program = LooseProgram(root / LOOSE)
            self.targets[program.name] = program
            self.roots.append(program.name)
        self.language = described["swift_languages_versions"][-1]

    @staticmethod
    def systems(root):
        """The systems that the manifest names, such as macosx15.0."""
        declared = json.loads(output("swift", "package", "dump-package", cwd=root))
        names = {"macos": "macosx", "ios": "ios"}
        return [names[each["platformName"]] + each["version"] for each in declared["platforms"]]

    def chosen(self, products, system):
        """The targets that a system is to have: on iOS those of the library for applications, and the
        sample of one."""
        for product in products:
            if system.startswith("ios") and product["name"] == APP:
                samples = self.root / "samples"
                return sorted(product["targets"] + [
                    name for name, target in self.targets.items()
                    if samples in target.folder.parents])
        return sorted(self.targets)

    def needs(self, name):
        """The targets that one depends on, directly and indirectly, lowest first."""
        found = []
        for dependency in self.targets[name].dependencies:
            for each in [*self.needs(dependency), dependency]:
                if each not in found:
                    found.append(each)
        return found

    @property
    def sorted(self):
        """The targets of this system, each after those it needs."""
        found = []
        for name in self.roots:
            found += [each for each in [*self.needs(name), name] if each not in found]
        return [self.targets[name] for name in found]
