import Foundation
import StoreMigration
import StorePipeline
import Testing

@testable import StorePipeline

@Suite("Pictures of samples")
struct SampleJPEGTests {
  private static let pictures = SampleJPEG(seed: 1)

  @Test("a picture has about the size that is asked for", arguments: [20_000, 150_000, 600_000])
  func size(bytes: Int) {
    var random = SampleRandom(1)
    let picture = Self.pictures.picture(bytes: bytes, &random)
    #expect(abs(picture.count - bytes) < 10_000)
  }

  @Test("its segments follow each other, and its rows are separated by numbered markers")
  func structure() throws {
    var random = SampleRandom(1)
    let picture = Self.pictures.picture(bytes: 100_000, &random)
    #expect(picture.prefix(2) == [0xFF, 0xD8])
    #expect(picture.suffix(2) == [0xFF, 0xD9])
    var place = 2
    var markers: [UInt8] = []
    while picture[place] == 0xFF, markers.last != 0xDA {
      markers.append(picture[place + 1])
      place += 2 + Int(picture[place + 2]) << 8 + Int(picture[place + 3])
    }
    #expect(markers == [0xE0, 0xDB, 0xC0, 0xC4, 0xC4, 0xDD, 0xDA])
    let frame = try #require(picture.firstRange(of: [0xFF, 0xC0]))
    let height = Int(picture[frame.upperBound + 3]) << 8 + Int(picture[frame.upperBound + 4])
    let coded = picture[place...]
    let restarts = zip(coded, coded.dropFirst()).compactMap { first, second in
      first == 0xFF && second != 0 ? second : nil
    }
    #expect(restarts.dropLast() == (0..<(height / 8 - 1)).map { 0xD0 + UInt8($0 % 8) }[...])
  }

  @Test("no two are alike, and each is the same every time") func different() {
    var random = SampleRandom(1)
    let pictures = (0..<20).map { _ in Self.pictures.picture(bytes: 40_000, &random) }
    #expect(Set(pictures).count == 20)
    random = SampleRandom(1)
    #expect(SampleJPEG(seed: 1).picture(bytes: 40_000, &random) == pictures[0])
  }
}
