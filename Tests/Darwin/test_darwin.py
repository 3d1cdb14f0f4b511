"""Plants mistakes that only an Apple system shows in a small package: the check must find each."""

import contextlib
import io
import os
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import darwin
from package import LOOSE, Package, default_traits, holds
from sdk import TRIED

MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "planted",
  platforms: [.macOS(.v15)],
  products: [.library(name: "StorePipelineApp", targets: ["Layer"])],
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

    def check(self, manifest=MANIFEST, **changed):
        """The status of the check, and what it says."""
        files = {"Calls": SOURCE, "Layer": LAYER, "Upper": UPPER, **changed}
        work = os.environ.get("DARWIN_WORK", ".build/darwin")
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            headers = "Calls/api" if "api" in manifest else "Calls/include"
            for name in (headers, "Layer", "Upper"):
                (root / name).mkdir(parents=True)
            (root / "Package.swift").write_text(manifest)
            (root / headers / "Calls.h").write_text(HEADER)
            (root / "Calls/Calls.c").write_text(files["Calls"])
            (root / "Layer/Layer.swift").write_text(files["Layer"])
            (root / "Upper/Upper.swift").write_text(files["Upper"])
            if "Program" in files:
                (root / LOOSE).mkdir(parents=True)
                (root / LOOSE / "main.swift").write_text(files["Program"])
            said = io.StringIO()
            with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
                status = darwin.main(folder, work)
        if status == 77:
            self.skipTest(said.getvalue())
        return status, said.getvalue()

    def refuses(self, message, manifest=MANIFEST, **changed):
        """The check ends with 1 and says why."""
        status, said = self.check(manifest, **changed)
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

    def test_delegate_that_nothing_keeps(self):
        planted = (
            "func give(_ parser: XMLParser, _ delegate: any XMLParserDelegate) {\n"
            "  parser.delegate = delegate\n}\n"
        )
        self.refuses("not marked with 'unsafe'", Layer=LAYER + planted)

    def test_sleep_in_a_task(self):
        planted = "func doze() async { Thread.sleep(forTimeInterval: 1) }\n"
        self.refuses("Task.sleep", Upper=UPPER + planted)

    def test_what_ios_lacks(self):
        both = MANIFEST.replace(".macOS(.v15)", ".macOS(.v15), .iOS(.v18)")
        planted = "func start() throws { try Process().run() }\n"
        # Upper is no part of the product for applications.
        status, said = self.check(both, Upper=UPPER + planted)
        self.assertEqual(status, 0, said)
        self.assertIn("3 targets for", said)
        self.assertIn("apple-ios18.0", said)
        self.refuses("cannot find 'Process'", both, Layer=LAYER + planted)

    def test_broken_manifest_is_an_error(self):
        self.refuses("Package.swift", MANIFEST.replace(".target(", ".tarjet(", 1))

    def test_program_that_is_no_target(self):
        planted = "import CoreData\nlet store = NSPersistentStore(none: 1)\n"
        self.refuses("NSPersistentStore", Program=planted)

    def test_headers_in_other_folders(self):
        manifest = MANIFEST.replace('path: "Calls",', 'path: "Calls", publicHeadersPath: "api",')
        inner = SOURCE.replace('"Calls.h"', "<api/Calls.h>")
        self.refuses("'api/Calls.h' file not found", manifest, Calls=inner)
        manifest = manifest.replace("cSettings: [", 'cSettings: [.headerSearchPath("."), ')
        status, said = self.check(manifest, Calls=inner)
        self.assertEqual(status, 0, said)

    def test_versions_that_were_tried(self):
        self.assertTrue(TRIED.search("Swift version 6.3.1 (swift-6.3.1-RELEASE)"))
        self.assertTrue(TRIED.search("Apple Swift version 6.3 (swiftlang-6.3.0.1)"))
        self.assertFalse(TRIED.search("Swift version 6.30 (swift-6.30-RELEASE)"))
        self.assertFalse(TRIED.search("Swift version 16.3 (swift-16.3-RELEASE)"))

    def test_default_traits(self):
        traits = [
            {"name": "default", "enabledTraits": ["Images"]},
            {"name": "Images", "enabledTraits": ["SystemLua"]},
            {"name": "SystemLua", "enabledTraits": []},
            {"name": "LuaSource", "enabledTraits": []},
        ]
        self.assertEqual(default_traits({"traits": traits}), {"Images", "SystemLua"})
        self.assertEqual(default_traits({"traits": traits[1:]}), set())
        self.assertEqual(default_traits({}), set())

    def test_targets_of_a_system(self):
        package = Package.__new__(Package)
        package.root = Path("/package")
        package.targets = {
            name: SimpleNamespace(folder=package.root / folder)
            for name, folder in [("Layer", "Layer"), ("Sample", "samples/App"), ("Upper", "Upper")]
        }
        products = [{"name": "StorePipelineApp", "targets": ["Layer"]}]
        self.assertEqual(package.chosen(products, "ios18.0"), ["Layer", "Sample"])
        every = ["Layer", "Sample", "Upper"]
        self.assertEqual(package.chosen(products, "macosx15.0"), every)
        self.assertEqual(package.chosen([], "ios18.0"), every)

    def test_conditions_of_the_manifest(self):
        self.assertTrue(holds(None, "macosx15.0"))
        self.assertTrue(holds({"platformNames": ["macos"]}, "macosx15.0"))
        self.assertTrue(holds({"config": "debug"}, "macosx15.0"))
        self.assertFalse(holds({"platformNames": ["linux"]}, "macosx15.0"))
        self.assertFalse(holds({"platformNames": ["macos"]}, "ios18.0"))
        images = {"platformNames": [], "traits": ["Images"]}
        self.assertFalse(holds(images, "macosx15.0"))
        self.assertFalse(holds(images, "macosx15.0", {"SystemLua"}))
        self.assertTrue(holds(images, "macosx15.0", {"SystemLua", "Images"}))
        self.assertTrue(holds(None, "ios18.0", {"SystemLua"}))
        either = {"platformNames": ["ios"], "traits": ["SystemLua", "LuaSource"]}
        self.assertTrue(holds(either, "ios18.0", {"LuaSource"}))
        self.assertFalse(holds(either, "macosx15.0", {"LuaSource"}))


if __name__ == "__main__":
    unittest.main()
