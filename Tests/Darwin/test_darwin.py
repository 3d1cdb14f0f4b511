"""Plants mistakes that only an Apple system shows in a small package: the check must find each."""

import contextlib
import io
import os
import tempfile
import unittest
from pathlib import Path

import darwin
from package import holds

MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "planted",
  platforms: [.macOS(.v15)],
  targets: [
    .target(
      name: "Calls", path: "Calls",
      cSettings: [.enableWarning("all"), .treatAllWarnings(as: .error)]),
    .target(
      name: "Layer", dependencies: ["Calls"], path: "Layer",
      swiftSettings: [
        .strictMemorySafety(), .treatAllWarnings(as: .error),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    .target(
      name: "Upper", dependencies: ["Layer"], path: "Upper",
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
"""

HEADER = "int copy_all(int from, int to);\n"

SOURCE = """\
#include "Calls.h"
#ifdef __APPLE__
#include <copyfile.h>
#include <stddef.h>
int copy_all(int from, int to) { return fcopyfile(from, to, NULL, COPYFILE_ALL); }
#else
int copy_all(int from, int to) { return from - to; }
#endif
"""

LAYER = """\
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif
public import Foundation
internal import Calls

public func same(_ url: URL) -> Bool { copy_all(1, 2) == 0 && url.isFileURL && getpid() > 0 }
"""

UPPER = "import Foundation\nimport Layer\n\nfunc ask() -> Bool { same(URL(filePath: \"/\")) }\n"


class DarwinTests(unittest.TestCase):
    """Each test checks the same package, with one of its files changed."""

    def check(self, **changed):
        """The status of the check, and what it says."""
        files = {"Calls": SOURCE, "Layer": LAYER, "Upper": UPPER, **changed}
        work = os.environ.get("DARWIN_WORK", ".build/darwin")
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name in ("Calls/include", "Layer", "Upper"):
                (root / name).mkdir(parents=True)
            (root / "Package.swift").write_text(MANIFEST)
            (root / "Calls/include/Calls.h").write_text(HEADER)
            (root / "Calls/Calls.c").write_text(files["Calls"])
            (root / "Layer/Layer.swift").write_text(files["Layer"])
            (root / "Upper/Upper.swift").write_text(files["Upper"])
            said = io.StringIO()
            with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
                status = darwin.main(folder, work)
        return status, said.getvalue()

    def refuses(self, message, **changed):
        """The check ends with 1 and says why."""
        status, said = self.check(**changed)
        self.assertEqual(status, 1, said)
        self.assertIn(message, said)

    def test_nothing_planted(self):
        status, said = self.check()
        self.assertEqual(status, 0, said)
        self.assertIn("no error", said)

    def test_glibc_outside_the_platform_layer(self):
        self.refuses("no such module 'Glibc'", Upper=UPPER + "import Glibc\n")

    def test_call_that_linux_alone_has(self):
        self.refuses("gettid", Layer=LAYER + "func thread() -> Int32 { gettid() }\n")

    def test_header_that_linux_alone_has(self):
        self.refuses("linux/fs.h", Calls="#include <linux/fs.h>\n" + SOURCE)

    def test_misuse_of_a_call_that_darwin_alone_has(self):
        self.refuses("too few arguments", Calls=SOURCE.replace("to, NULL, COPYFILE_ALL", "to"))

    def test_unsafe_in_front_of_a_call_that_is_safe_on_darwin(self):
        planted = "#if canImport(Darwin)\nfunc here() -> Int32 { unsafe getpid() }\n#endif\n"
        self.refuses("no unsafe operations occur", Layer=LAYER + planted)

    def test_number_of_another_type(self):
        planted = "func kind(_ mode: UInt32) -> Bool { mode & S_IFMT == S_IFREG }\n"
        self.refuses("mode_t", Layer=LAYER + planted)

    def test_reference_that_may_not_be_shared(self):
        planted = "let one = FileManager.default\nfunc use() { _ = one }\n"
        self.refuses("Sendable", Upper=UPPER + planted)

    def test_conditions_of_the_manifest(self):
        self.assertTrue(holds(None, "macosx15.0"))
        self.assertTrue(holds({"platformNames": ["macos"]}, "macosx15.0"))
        self.assertTrue(holds({"config": "debug"}, "macosx15.0"))
        self.assertFalse(holds({"platformNames": ["linux"]}, "macosx15.0"))
        self.assertFalse(holds({"platformNames": ["macos"]}, "ios18.0"))
        self.assertFalse(holds({"platformNames": [], "traits": ["Images"]}, "macosx15.0"))


if __name__ == "__main__":
    unittest.main()
