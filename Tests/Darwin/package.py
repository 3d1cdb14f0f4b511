"""The package's targets, as its manifest describes them."""

import json
import re
from pathlib import Path

from sdk import output


class Target:
    """A target with its settings for one system, in a debug build."""

    def __init__(self, root, described, declared, system):
        self.name = described["name"]
        self.module = described["c99name"]
        self.folder = root / described["path"]
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
            if holds(condition, system)
        ]
        self.settings = [
            each for each in declared["settings"] if holds(each.get("condition"), system)
        ]

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
                found += FLAGS[tool][kind](value.get("_0"))
        return found


def dependency(declared):
    """The name that a dependency has, and its condition."""
    (kind, values), = declared.items()
    return values[0], values[-1] if isinstance(values[-1], dict) else None


def holds(condition, system):
    """Whether a condition of the manifest is true of a debug build with no traits for a system."""
    if not condition:
        return True
    name = re.match(r"[a-z]*", system).group().replace("macosx", "macos")
    platforms = condition.get("platformNames", [])
    return (
        (not platforms or name in platforms)
        and condition.get("config", "debug") == "debug"
        and not condition.get("traits")
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
    },
}


class Package:
    """A package for one system, its targets sorted so that each comes after those it needs."""

    def __init__(self, root, system):
        self.root = root
        described = json.loads(output("swift", "package", "describe", "--type", "json", cwd=root))
        declared = json.loads(output("swift", "package", "dump-package", cwd=root))
        self.name = described["name"]
        by_name = {each["name"]: each for each in declared["targets"]}
        self.targets = {
            each["name"]: Target(root, each, by_name[each["name"]], system)
            for each in described["targets"]
        }
        self.language = described["swift_languages_versions"][-1]

    @staticmethod
    def systems(root):
        """The systems that the manifest names, such as macosx15.0."""
        declared = json.loads(output("swift", "package", "dump-package", cwd=root))
        names = {"macos": "macosx", "ios": "ios"}
        return [names[each["platformName"]] + each["version"] for each in declared["platforms"]]

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
        """All targets, each after those it needs."""
        found = []
        for name in sorted(self.targets):
            found += [each for each in [*self.needs(name), name] if each not in found]
        return [self.targets[name] for name in found]
