import Foundation

/// Two pipelines of scripts: one computes attributes, one gives pictures an entity of their own.
enum ThingsScripts {
  /// Writes the pipeline files and their scripts beside the store.
  static func write(into folder: URL) throws {
    try write("attributes", target: "Things 2", attributes, into: folder)
    try write("pictures", target: "Things 3", pictures, into: folder)
  }

  private static func write(
    _ name: String, target: String, _ script: String, into folder: URL
  ) throws {
    try Data(script.utf8).write(to: folder.appending(path: "\(name).lua"))
    try Data(pipeline(name, target).utf8).write(to: folder.appending(path: "\(name).pipeline"))
  }

  private static func pipeline(_ name: String, _ target: String) -> String {
    """
    pipeline "Things, \(name)" {
      format = 1,
      models = "\(ThingsModel.folder)",
      target = "\(target)",
    }

    stage "detect" {}
    stage "open" {}
    stage "copy" {}
    stage "transform" { entity = "Item", script = "\(name).lua" }
    stage "connect" {}
    stage "validate" {}
    stage "swap" {}

    """
  }

  private static let attributes = """
    return {
      attributes = {
        title = function(name) return name and text.upperFirst(text.trim(name)) end,
        note = function(note) return note and text.trim(note) end,
        cents = function(cents) return cents and cents * 2 end,
      },
    }

    """

  private static let pictures = """
    return {
      creates = { "Item", "Picture" },
      create = function(item, new)
        local copy = new.Item(item)
        if item.picture then copy.picture = new.Picture { data = item.picture } end
        return copy
      end,
    }

    """
}
