import Foundation

/// The look that the tracer takes between two commands: the store is old or new, and whole.
struct Look {
  private let folder: URL
  private let template: URL
  private let stage: String
  private let status: String

  init(folder: String, template: String, stage: String, status: String) {
    self.folder = URL(filePath: folder)
    self.template = URL(filePath: template)
    (self.stage, self.status) = (stage, status)
  }

  /// Where a template lies after an uninterrupted command.
  static func after(_ template: URL) -> URL {
    template.deletingLastPathComponent().appending(path: template.lastPathComponent + "-after")
  }

  /// What is wrong; nil when nothing is.
  func problem() throws -> String? {
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "look-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    func content(_ folder: URL) throws -> Content {
      try Content.read(folder.appending(path: Sample.store), in: scratch)
    }
    let found = try content(folder)
    let isNew = found.difference(to: try content(Self.after(template)))
    if isNew == nil { return stage == "killed" || status == "0" ? nil : "status \(status)" }
    let isOld = found.difference(to: try content(template))
    if stage == "killed", isOld == nil { return nil }
    return "\(stage): \(isOld ?? "the old store"), \(isNew ?? "")"
  }
}
