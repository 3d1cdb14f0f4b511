import Testing

@testable import SQLite

@Suite("File URIs") struct FileURITests {
  @Test(
    "every byte that could mean something else is encoded",
    arguments: [
      ("/a/B-1_2.x~", "/a/B-1_2.x~"), ("/a b", "/a%20b"), ("/a?b#c%d", "/a%3Fb%23c%25d"),
      ("/é", "/%C3%A9"), ("/\n", "/%0A"), ("/'\"&=;:", "/%27%22%26%3D%3B%3A"),
    ])
  func encoded(path: String, expected: String) {
    #expect(FileURI.of(path, mode: "ro") == "file:\(expected)?mode=ro")
  }
}
