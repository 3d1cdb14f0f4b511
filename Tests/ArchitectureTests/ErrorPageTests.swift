import Foundation
import Testing

@Suite("The page of what can go wrong")
struct ErrorPageTests {
  @Test("it has every message that an error begins with")
  func messages() throws {
    let files = try Repository.files.get()
    let page = try #require(files.first { $0.path.hasSuffix("StorePipeline.docc/Troubles.md") })
    let text = page.lines.joined(separator: " ")
    var found: Set<String> = []
    for file in files where file.isSwift && file.path.hasPrefix("Sources/") {
      let code = file.lines.joined(separator: "\n")
      // A literal that says what could not be done, wherever it stands.
      let message = /"((?:cannot [a-z]|too many objects|there is too little)[^"\\]*)"/
      for match in code.matches(of: message) { found.insert(String(match.1)) }
    }
    #expect(found.count > 60)
    let missing = found.filter { !text.contains("`\($0)`") }.sorted()
    #expect(missing.isEmpty, "\(missing.joined(separator: "\n"))")
  }
}
