import Foundation

/// A pipeline file, and its script if it has one.
struct Migration: Sendable {
  /// The name of both files.
  var name: String
  /// The number of the version it leads to.
  var version: Int
  /// The options of the stage `copy`.
  var copy = ""
  /// The entity the script is for, and the script.
  var script: (entity: String, text: String)?
  /// A stage behind the others that make the new store.
  var last: String?
  /// The steps of a chain, instead of the stages that make the new store.
  var steps: String?

  /// Writes `NAME.pipeline`, `NAME.staged.pipeline`, which ends when the new store is made, and
  /// `NAME.lua`.
  func write(into folder: URL, models: String, target: String) throws {
    let staged = pipeline(models, target)
    let checks = ["validate", "verify", "swap"].map { "stage \"\($0)\" {}\n" }.joined()
    try Data(staged.utf8).write(to: folder.appending(path: "\(name).staged.pipeline"))
    try Data((staged + checks).utf8).write(to: folder.appending(path: "\(name).pipeline"))
    guard let script else { return }
    try Data(script.text.utf8).write(to: folder.appending(path: "\(name).lua"))
  }

  private func pipeline(_ models: String, _ target: String) -> String {
    """
    pipeline "\(target)" {
      format = 1,
      models = "\(models)",
      target = "\(target)",
    }

    stage "detect" {}
    stage "open" {}
    \(steps ?? stages)

    """
  }

  private var stages: String {
    let transform = script.map { entity, _ in
      "stage \"transform\" { entity = \"\(entity)\", script = \"\(name).lua\" }"
    }
    let all = ["stage \"copy\" {\(copy)}", transform, "stage \"connect\" {}", last]
    return all.compactMap(\.self).joined(separator: "\n")
  }
}
