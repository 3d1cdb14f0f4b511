import Foundation
import StorePipeline
import TestSupport

/// A script of a test, written to the test's own folder.
struct ScriptText {
  /// Where it stands.
  let path: String

  /// A script whose text is all there is.
  init(_ text: String, name: String = "test.lua") throws {
    let url = TemporaryFolder.url.appending(path: name)
    try Data(text.utf8).write(to: url)
    path = url.path
  }

  /// What the script is going to do.
  func outline(_ params: [String: OptionValue] = [:]) throws -> ScriptOutline {
    try ScriptOutline.load(path: path, params: params)
  }

  /// The mistakes, each as `LINE: message`.
  func mistakes() throws -> [String] {
    try outline().problems.map { "\($0.line): \($0.message)" }
  }
}
