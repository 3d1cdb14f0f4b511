import Testing

@testable import StorePipeline

@Suite("Kinds of pictures")
struct ImageKindTests {
  @Test(
    "the first bytes tell",
    arguments: [
      ([0xff, 0xd8, 0xff, 0xe0], ImageKind.jpeg, "JPEG"),
      (DifferenceSample.dot, .png, "PNG"),
      (Array("GIF89a".utf8), .gif, "GIF"),
      (Array("RIFF".utf8) + [4, 0, 0, 0] + Array("WEBPVP8 ".utf8), .webp, "WebP"),
    ] as [([UInt8], ImageKind, String)])
  func kinds(bytes: [UInt8], kind: ImageKind, name: String) {
    #expect(ImageKind(bytes) == kind)
    #expect(kind.name == name)
  }

  @Test(
    "what merely begins like one is none",
    arguments: [
      [], [0xff, 0xd8], [0x89, 0x50, 0x4e, 0x47], Array("GIF".utf8), Array("RIFF".utf8),
      Array("RIFF....WAVE".utf8), Array("<svg>".utf8),
    ] as [[UInt8]])
  func others(bytes: [UInt8]) {
    #expect(ImageKind(bytes) == nil)
  }
}
