import Testing

@testable import StorePipeline

@Suite("Sizes")
struct SizeTextTests {
  @Test(
    "a number of bytes is read and written",
    arguments: [
      ("8 MiB", Int64(8 << 20), "8 MiB"), ("64 MB", 64_000_000, "64 MB"),
      ("1024KiB", 1 << 20, "1 MiB"), ("10 kB", 10_000, "10 kB"), ("7 B", 7, "7 B"),
      ("0 B", 0, "0 B"),
    ])
  func roundTrip(text: String, bytes: Int64, written: String) {
    #expect(SizeText.read(text) == bytes)
    #expect(SizeText.write(bytes) == written)
  }

  @Test(
    "what is none is refused", arguments: ["", "8", "MiB", "-1 B", "1.5 MB", "9999999999 GiB"])
  func refused(text: String) {
    #expect(SizeText.read(text) == nil)
  }
}
