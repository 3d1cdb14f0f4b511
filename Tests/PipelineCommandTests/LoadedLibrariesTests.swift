import TestSupport
import Testing

/// Each library that is loaded costs every start of the command time and memory.
@Suite("The libraries that a command loads", .temporaryFolder)
struct LoadedLibrariesTests {
  @Test(
    "none is for pictures or for Foundation's XML, where neither is needed",
    .enabled(
      if: Tool.says("LD_DEBUG=files pipeline --version 2>&1 | grep -q libsqlite3"),
      "the dynamic linker does not say what it loads"),
    arguments: ["--version", "help", "help run", "inspect *.xcdatamodeld", "inspect *.sqlite"])
  func few(words: String) throws {
    #expect(try Tool.shell("pipeline sample wal-trap trap --size small").status == 0)
    let outcome = try Tool.shell("cd trap && LD_DEBUG=files pipeline \(words)")
    #expect(outcome.status == 0)
    for library in ["libvips", "libxml2", "libFoundationXML"] {
      #expect(!outcome.errors.contains(library), "\(library) is loaded")
    }
  }
}
