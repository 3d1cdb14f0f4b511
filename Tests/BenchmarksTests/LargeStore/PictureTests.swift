import Testing

@testable import LargeStore

@Suite("Pictures") struct PictureTests {
  @Test("the file's parts follow each other as ITU-T T.81 has them, and only the end ends it")
  func parts() throws {
    let bytes = Picture(seed: 3, width: 64, height: 48).jpeg(comment: "one")
    #expect(bytes.prefix(2) == [0xFF, 0xD8])
    var place = 2
    var markers: [UInt8] = []
    while markers.last != 0xDA {
      #expect(bytes[place] == 0xFF)
      markers.append(bytes[place + 1])
      place += 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
    }
    #expect(markers == [0xFE, 0xDB, 0xC0, 0xC4, 0xC4, 0xDA])
    // In the coded part FF has 00 behind it, but for the end of the picture.
    let scan = bytes[place...]
    let ends = zip(scan, scan.dropFirst()).filter { $0 == 0xFF && $1 != 0 }.map(\.1)
    #expect(ends == [0xD9])
    #expect(bytes.suffix(2) == [0xFF, 0xD9])
  }

  @Test("the remark alone tells two files of one picture apart")
  func remark() {
    let picture = Picture(seed: 1, width: 64, height: 48)
    let (one, two) = (picture.jpeg(comment: "1"), picture.jpeg(comment: "2"))
    #expect(one.count == two.count)
    #expect(zip(one, two).filter { $0 != $1 }.count == 1)
    #expect(Picture(seed: 2, width: 64, height: 48).jpeg(comment: "1") != one)
  }
}
