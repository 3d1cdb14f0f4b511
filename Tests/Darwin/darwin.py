"""Type-checks the package for Apple systems on Linux: `make darwin`.

    darwin.py PACKAGE WORK

Every C file against the headers of Darwin's C library, every Swift target with all its settings.
WORK keeps what was fetched and what has passed: a target is checked again when it, what it needs or
the compiler has changed. The status is 1 and the compiler's messages are printed when something is
wrong, and 77 with one line when the check is not possible here.
"""

import enum
import hashlib
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from package import Package
from sdk import SDK, Failed, Unavailable


class Result(enum.Enum):
    """The result of checking a target."""

    unchanged = 0
    fine = 1
    wrong = 2

    @property
    def is_fine(self):
        return self is not Result.wrong


class Check:
    """One package, for one system."""

    def __init__(self, package, sdk):
        self.package, self.sdk = package, sdk
        self.modules = sdk.root / "built" / package.name
        self.modules.mkdir(parents=True, exist_ok=True)
        self.seals = {}

    def run(self):
        """Checks every target, two at a time; true when none has an error."""
        start = time.monotonic()
        results = {}
        with ThreadPoolExecutor(max_workers=2) as pool:
            # Each target comes after those it waits for, so that two workers never wait for each other.
            for target in self.package.sorted:
                if target.is_system:
                    continue
                needed = [results[name] for name in target.dependencies if name in results]
                seal = self.seal(target)
                results[target.name] = pool.submit(self.result, target, seal, needed)
        found = {name: each.result() for name, each in results.items()}
        self.report(found, time.monotonic() - start)
        return all(each.is_fine for each in found.values())

    def result(self, target, seal, needed):
        """Checks a target when those it needs have no error and something has changed."""
        stamp = self.modules / f"{target.name}.passed"
        if not all(each.result().is_fine for each in needed):
            print(f"darwin: {target.name} waits for what it needs", file=sys.stderr)
            return Result.wrong
        if stamp.exists() and stamp.read_text() == seal:
            return Result.unchanged
        stamp.unlink(missing_ok=True)
        if not (self.check_clang(target) if target.is_clang else self.check_swift(target)):
            return Result.wrong
        stamp.write_text(seal)
        return Result.fine

    def report(self, results, seconds):
        """Says in one line what was checked."""
        wrong = [name for name, each in results.items() if not each.is_fine]
        changed = sum(each is not Result.unchanged for each in results.values())
        end = f"wrong: {', '.join(wrong)}" if wrong else "no error"
        print(
            f"darwin: {len(results)} targets for {self.sdk.triple}, {changed} of them changed, "
            f"{seconds:.0f} s: {end}"
        )

    def seal(self, target):
        """A digest of all that a target's result depends on."""
        if target.name in self.seals:
            return self.seals[target.name]
        digest = hashlib.sha256((self.sdk.root / "done").read_bytes())
        digest.update(Path(__file__).read_bytes())
        digest.update(repr([
            self.package.language, target.flags("swift"), target.flags("c"), target.resources,
            # Excludes and what the manifest lists as sources show here.
            target.sources, target.has_bundle,
        ]).encode())
        for name in target.dependencies:
            digest.update(self.seal(self.package.targets[name]).encode())
        for file in sorted(target.folder.rglob("*")):
            if target.is_system or file.suffix in (".c", ".h", ".swift", ".modulemap"):
                digest.update(str(file).encode())
                digest.update(file.read_bytes() if file.is_file() else b"")
        self.seals[target.name] = digest.hexdigest()
        return self.seals[target.name]

    def includes(self, target):
        """The options for the headers of the C targets that one needs."""
        found = []
        for each in [self.package.targets[name] for name in self.package.needs(target.name)]:
            if each.is_system:
                found += ["-I", str(each.folder)]
            elif each.is_clang:
                found += ["-I", str(each.headers)]
        return found

    def check_clang(self, target):
        """Parses each C file with the settings of its target."""
        fine = True
        for source in target.sources:
            fine &= self.passes([
                "clang", *self.sdk.c_flags, "-DSWIFT_PACKAGE=1", "-DDEBUG=1", "-fsyntax-only",
                "-I", str(target.headers), *self.includes(target),
                *target.flags("c"), str(source),
            ])
        return fine

    def check_swift(self, target):
        """Type-checks a target, and makes the module that others import."""
        sources = [str(each) for each in target.sources]
        sources += self.resource_accessor(target)
        command = [
            "swiftc", "-frontend", *self.sdk.swift_flags, "-module-name", target.module,
            "-package-name", self.package.name, "-swift-version", self.package.language,
            "-I", str(self.modules), "-enable-testing", "-D", "DEBUG", "-D", "SWIFT_PACKAGE",
            *self.plugins(), *target.flags("swift"), *self.clang_modules(target), *sources,
        ]
        if not target.is_program:
            command.insert(2, "-parse-as-library")
        if not self.passes([*command[:2], "-typecheck", *command[2:]]):
            return False
        return target.is_test or self.passes([
            *command[:2], "-emit-module", "-experimental-skip-all-function-bodies",
            "-o", str(self.modules / f"{target.module}.swiftmodule"), *command[2:],
        ])

    def plugins(self):
        """The macros of the toolchain, of which the tests use Testing's."""
        folder = self.sdk.toolchain / "host" / "plugins"
        return ["-plugin-path", str(folder), "-plugin-path", str(folder / "testing")]

    def clang_modules(self, target):
        """The options for the C modules that a Swift target may import."""
        found = []
        for each in [self.package.targets[name] for name in self.package.needs(target.name)]:
            if not each.is_swift and each.headers_or_folder.is_dir():
                found += ["-Xcc", f"-fmodule-map-file={self.module_map(each)}"]
        return found

    def module_map(self, target):
        """A C target's module map: its own, or what the package manager would write."""
        own = target.headers_or_folder / "module.modulemap"
        if own.exists():
            return own
        made = self.modules / f"{target.module}.modulemap"
        text = f'module {target.module} {{ umbrella "{target.headers}" export * }}\n'
        # Another compiler may be reading it.
        if not made.exists() or made.read_text() != text:
            made.write_text(text)
        return made

    def resource_accessor(self, target):
        """The file that the package manager would write for resources, in the code or in a bundle."""
        lines = []
        if target.resources:
            names = [re.sub(r"\W", "_", file.name) for file in target.resources]
            constants = [f"  static let {name}: [UInt8] = []" for name in names]
            lines += ["struct PackageResources {", *constants, "}"]
        if target.has_bundle:
            lines += ["import Foundation", "extension Bundle {"]
            lines += ["  static var module: Bundle { .main }", "}"]
        if not lines:
            return []
        accessor = self.modules / f"{target.module}.resources.swift"
        accessor.write_text("\n".join([*lines, ""]))
        return [str(accessor)]

    def passes(self, command):
        """Runs a compiler; what it says goes to standard error."""
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.package.root)
        if done.returncode != 0:
            print(done.stderr.strip() or f"darwin: {command[0]} ended with {done.returncode}",
                  file=sys.stderr)
        return done.returncode == 0


def main(root, work):
    """Checks the package for every system that its manifest names."""
    root, work = Path(root).resolve(), Path(work).resolve()

    def check(system):
        sdk = SDK(work, system)
        sdk.prepare()
        return Check(Package(root, system), sdk)

    try:
        systems = Package.systems(root)
        # All have the same headers.
        SDK(work, systems[0]).fetch_headers()
        # Much of it is one compiler that the others wait for: a second system fills the time.
        with ThreadPoolExecutor() as pool:
            checks = list(pool.map(check, systems))
            results = list(pool.map(Check.run, checks))
    except Unavailable as reason:
        print(f"darwin: skipped, because {reason}", file=sys.stderr)
        return 77
    except Failed as reason:
        print(f"darwin: {reason}", file=sys.stderr)
        return 1
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
