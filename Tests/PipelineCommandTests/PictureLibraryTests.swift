import Foundation
import TestSupport
import Testing

/// libvips is loaded while the program runs, so no linker looks at what is expected of it.
@Suite("The library for pictures", .temporaryFolder)
struct PictureLibraryTests {
  @Test(
    "its functions are declared as its own header has them",
    .enabled(
      if: Tool.says("pkg-config --exists vips && command -v cc"),
      "libvips-dev or a compiler for C is not installed"))
  func declarations() throws {
    let header = ManyStoresPageTests.project.appending(path: "Sources/C/ImageHost/Library.h")
    let text = """
      #include <vips/vips.h>
      #include "\(header.path)"
      _Static_assert((int)IH_ACCESS_SEQUENTIAL == (int)VIPS_ACCESS_SEQUENTIAL, "");
      _Static_assert((int)IH_SIZE_DOWN == (int)VIPS_SIZE_DOWN, "");
      _Static_assert((int)IH_ALL_LEVELS == (int)G_LOG_LEVEL_MASK, "");
      _Static_assert(__builtin_strcmp(IH_PROFILE, VIPS_META_ICC_NAME) == 0, "");
      _Static_assert(sizeof(VipsArrayDouble) == sizeof(VipsArea), "");

      """
    try Data(text.utf8).write(to: TemporaryFolder.url.appending(path: "check.c"))
    let check = "cc -fsyntax-only -Werror $(pkg-config --cflags vips) check.c"
    #expect(try Tool.shell(check) == Tool.Outcome(output: "", errors: "", status: 0))
  }
}
