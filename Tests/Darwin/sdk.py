"""Builds, below a folder, what a compiler on Linux needs to check sources for an Apple system.

Nothing of Apple's SDK is used. The headers of the C library are open source and come with a wheel;
Swift's own modules are the toolchain's, whose interfaces are rewritten for the other system; of
Foundation and its like there are the declarations in Stubs.
"""

import json
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Another version of the wheel has other headers: change it by hand, and repeat the check.
WHEEL = "ziglang==0.17.1"
HEADERS = "ziglang/lib/libc/include/any-darwin-any/"

# How Swift calls the processor of this machine, and how Apple does.
MACHINE = {"aarch64": "arm64", "arm64": "arm64"}.get(platform.machine(), "x86_64")

# The toolchain's modules that have no part of the operating system in them.
SWIFT_MODULES = [
    "Swift", "SwiftOnoneSupport", "Synchronization", "Testing", "_Builtin_float", "_Concurrency",
    "_RegexParser", "_StringProcessing", "_TestingInterop", "RegexBuilder", "Observation",
]

# The interfaces of these versions of Swift are known to be readable for the other system. If those
# of another one are not, the check is skipped.
TRIED = re.compile(r"Swift version 6\.3(\.\d+)?\b")

# Stubs by module, with what each imports for its own declarations and for its users.
STUBS = {
    "Darwin": (["Darwin"], ""),
    "Dispatch": (["Dispatch"], "@_exported import Darwin\n"),
    "Foundation": (
        ["FoundationValues", "FoundationObjects", "FoundationFiles", "FoundationText"],
        "@_exported import Darwin\n@_exported import Dispatch\n",
    ),
    "CryptoKit": (["CryptoKit"], "import Foundation\n"),
    "CoreData": (["CoreData"], "@_exported import Foundation\n"),
}

# Parts that a module has on macOS alone.
MAC_STUBS = {"Foundation": ["FoundationProcess"]}

# Headers of libraries that Homebrew has on a Mac: those of this machine stand in for them.
BORROWED = re.compile(r"(sqlite3|lua|lauxlib|jpeglib|jconfig|jmorecfg|jerror)[\w.-]*\.h")

# The interface of Synchronization was written for Linux: its Mutex calls these.
FUTEX = """
@usableFromInline internal func _swift_stdlib_gettid() -> Swift.UInt32
@usableFromInline internal func _swift_stdlib_futex_lock(
  _ lock: Swift.UnsafeMutablePointer<Swift.UInt32>) -> Swift.UInt32
@usableFromInline internal func _swift_stdlib_futex_trylock(
  _ lock: Swift.UnsafeMutablePointer<Swift.UInt32>) -> Swift.UInt32
@usableFromInline internal func _swift_stdlib_futex_unlock(
  _ lock: Swift.UnsafeMutablePointer<Swift.UInt32>) -> Swift.UInt32
"""


class Unavailable(Exception):
    """What the check needs is not on this machine, and cannot be downloaded."""


class Failed(Exception):
    """A command found an error, which is one of the package or of the check itself."""


def output(*command, cwd=None):
    """What a command prints; if it fails, its message is the error."""
    try:
        done = subprocess.run(
            command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except FileNotFoundError:
        raise Unavailable(f"{command[0]} is not installed") from None
    if done.returncode != 0:
        raise Failed(f"`{' '.join(map(str, command))}` failed: {done.stderr.strip()}")
    return done.stdout


def library_flags(*names):
    """The compiler's options for libraries of this machine."""
    try:
        return output("pkg-config", "--cflags", *names).split()
    except Failed:
        raise Unavailable(f"{' or '.join(names)} is not installed") from None


class SDK:
    """The folders of one system, such as macosx15.0."""

    def __init__(self, work, system):
        self.system = system
        # An iPhone has another processor than this machine may have; its simulator has the same.
        self.triple = f"{MACHINE}-apple-{system}" + ("" if self.is_mac else "-simulator")
        self.headers = work / "headers" / WHEEL
        self.root = work / system
        self.resources = self.root / "resources"
        self.modules = self.root / "modules"
        self.cache = self.root / "cache"
        self.include = self.root / "sdk" / "usr" / "include"
        info = json.loads(output("swiftc", "-print-target-info"))
        self.toolchain = Path(info["paths"]["runtimeResourcePath"])
        self.linux = info["target"]["moduleTriple"]
        self.compiler = info["compilerVersion"]

    def prepare(self):
        """Makes what is missing; what an earlier run has made stays."""
        self.fetch_headers()
        done = self.root / "done"
        borrowed = self.library_headers()
        recipe = self.compiler + "".join(
            file.read_text(errors="replace")
            for file in [*sorted([*HERE.glob("Stubs/*"), HERE / "sdk.py"]), *borrowed]
        )
        if done.exists() and done.read_text() == recipe:
            return
        # A run that is stopped half way must not leave what looks finished.
        done.unlink(missing_ok=True)
        for folder in (self.resources, self.modules, self.root / "sdk"):
            shutil.rmtree(folder, ignore_errors=True)
        # The compiler does not look whether the interfaces of a system have changed.
        for name in STUBS:
            for built in self.cache.glob(f"{name}-*"):
                built.unlink()
        self.resources.mkdir(parents=True)
        self.modules.mkdir()
        shutil.copytree(self.headers, self.include)
        shutil.copy(HERE / "Stubs" / "Darwin.h", self.include / "DarwinStub.h")
        (self.include / "module.modulemap").write_text(
            'module Darwin [system] [extern_c] { header "DarwinStub.h" export * }\n'
        )
        for name in ("shims", "clang", "apinotes"):
            (self.resources / name).symlink_to(self.toolchain / name)
        for name in SWIFT_MODULES:
            self.write_swift_module(name)
        for name in STUBS:
            self.write_stub(name)
        (self.modules / "borrowed").mkdir()
        for file in borrowed:
            shutil.copy(file, self.modules / "borrowed")
        self.probe()
        done.write_text(recipe)

    def probe(self):
        """Has the compiler read the rewritten interfaces, once."""
        source = self.modules / "probe.swift"
        names = ["Synchronization", "Testing"]
        source.write_text("".join(f"import {name}\n" for name in names))
        try:
            output("swiftc", "-frontend", "-typecheck", *self.swift_flags, str(source))
        except Failed as reason:
            if TRIED.search(self.compiler):
                raise
            first = next((line for line in str(reason).splitlines() if "error:" in line), reason)
            raise Unavailable(f"{self.compiler} has other interfaces: {first}") from None

    def fetch_headers(self):
        """Downloads the wheel and keeps only its headers."""
        if self.headers.exists():
            return
        wheels = self.headers.parent / "wheel"
        wheels.mkdir(parents=True, exist_ok=True)
        try:
            output(
                sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--retries", "1",
                "--no-deps", "--only-binary", ":all:", "--dest", str(wheels), WHEEL,
            )
        except Failed as reason:
            last = str(reason).strip().splitlines()[-1]
            raise Unavailable(f"pip cannot fetch {WHEEL}: {last}") from None
        partial = self.headers.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        for wheel in wheels.glob("ziglang-*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                names = [name for name in archive.namelist() if name.startswith(HEADERS)]
                archive.extractall(partial, names)
        shutil.rmtree(wheels)
        (partial / HEADERS).rename(self.headers)
        shutil.rmtree(partial)

    def write_interface(self, name, text):
        """Puts the text of an interface where the compiler looks for the module."""
        folder = self.resources / self.place / f"{name}.swiftmodule"
        folder.mkdir(parents=True, exist_ok=True)
        suffix = "macos" if self.is_mac else "ios-simulator"
        (folder / f"{MACHINE}-apple-{suffix}.swiftinterface").write_text(text)

    @property
    def is_mac(self):
        """Whether the system is macOS."""
        return self.system.startswith("macosx")

    @property
    def place(self):
        """The resource folder's name for the system."""
        return "macosx" if self.is_mac else "iphonesimulator"

    def write_swift_module(self, name):
        """Rewrites the toolchain's interface of one of Swift's own modules."""
        folder = self.toolchain / "linux" / f"{name}.swiftmodule"
        # Not every version of Swift has every module.
        file = folder / f"{self.linux}.swiftinterface"
        if not file.exists():
            return
        text = file.read_text()
        target = f"-target {self.triple} -disable-availability-checking"
        text = re.sub(r"-target \S+", target, text, count=1)
        text = text.replace(" -static ", " ", 1)
        text = re.sub(r"^((?:public )?import) Glibc$", r"\1 Darwin", text, flags=re.M)
        text = re.sub(r"@backDeployed\([^)]*\)", "", text)
        self.write_interface(name, text + (FUTEX if name == "Synchronization" else ""))

    def write_stub(self, name):
        """Joins a module's stubs below the lines that an interface begins with."""
        parts, imports = STUBS[name]
        if self.is_mac:
            parts = parts + MAC_STUBS.get(name, [])
        text = "".join((HERE / "Stubs" / f"{part}.swiftinterface").read_text() for part in parts)
        head = (
            "// swift-interface-format-version: 1.0\n"
            f"// swift-compiler-version: {self.compiler}\n"
            f"// swift-module-flags: -target {self.triple} -disable-objc-interop "
            "-enable-library-evolution -swift-version 6 "
            f"-disable-availability-checking -module-name {name}\n"
            "import Swift\n"
        )
        self.write_interface(name, head + imports + text)

    def library_headers(self):
        """This machine's headers of the libraries that Homebrew, or the SDK, has on a Mac."""
        flags = library_flags("sqlite3", "lua5.4")
        headers = ["sqlite3.h", "lua.h", "lauxlib.h", "lualib.h"]
        try:
            flags += library_flags("libjpeg")
            headers += ["stdio.h", "jpeglib.h", "jerror.h"]
        except Unavailable:
            pass  # Only the trait Images needs it, and the check leaves that out.
        self.root.mkdir(parents=True, exist_ok=True)
        probe = self.root / "borrowed.c"
        probe.write_text("".join(f"#include <{name}>\n" for name in headers))
        used = output("clang", "-M", *flags, str(probe)).replace("\\\n", " ").split()
        return sorted(file for file in map(Path, used) if BORROWED.fullmatch(file.name))

    @property
    def c_flags(self):
        """What clang needs to find the headers."""
        return [
            "-target", self.triple, "-isysroot", str(self.root / "sdk"), "-fblocks",
            "-isystem", str(self.modules / "borrowed"),
        ]

    @property
    def swift_flags(self):
        """What swift-frontend needs to find its modules."""
        return [
            "-target", self.triple, "-resource-dir", str(self.resources), "-disable-objc-interop",
            "-module-cache-path", str(self.cache), "-sdk", str(self.root / "sdk"),
            "-Xcc", "-isystem", "-Xcc", str(self.modules / "borrowed"),
        ]

