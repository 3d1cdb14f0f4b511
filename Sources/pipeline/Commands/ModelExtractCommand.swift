import CoreDataStore
import StorePipeline

/// `pipeline model extract`: the model that a store keeps of itself, as Xcode's XML.
struct ModelExtractCommand: Command {
  static let name = "extract"
  static let summary = "Write the model a store keeps of itself as an .xcdatamodel."
  static let discussion = """
    A store keeps a copy of the model it was last opened with. It is written as XML that Xcode and \
    this program read back to the same version hashes; that is checked before anything is said to \
    be done. Without -o the XML goes to standard output.

    A compiled model, .momd or .mom, is taken in place of a store.
    """
  static let examples = [
    Example(
      "Get back a model that was lost", "pipeline model extract Notes.sqlite -o Notes.xcdatamodel"),
    Example("Read it", "pipeline model extract Notes.sqlite | less"),
  ]
  static let arguments: [Argument<Self>] = [
    .positional("store", \.store, "The store, or a compiled model.", takes: .storeOrModel),
    .option(
      "output", short: "o", value: "PATH", \.output,
      "The .xcdatamodel to make; nothing may be there yet.", takes: .written(.folder)),
    .option(
      "version", value: "NAME", \.version,
      "The version of a .momd; the current one unless given."),
  ]
  static let shared: SharedOptions = .json

  var store = ""
  var output: String?
  var version: String?

  func run(_ context: Context) throws -> ExitStatus {
    let target = try output.map(target)
    let model = try ModelArgument(path: store, version: version).open().model
    let writer = try ModelWriter(model)
    for loss in writer.losses { context.console.warn(loss) }
    let report = ModelExtractReport(model, xml: writer.xml, losses: writer.losses, path: output)
    if let target { try write(writer, of: model, to: target) }
    if context.options.json {
      context.console.result(JSONModelExtractReport(report).text)
    } else if target == nil {
      context.console.result(report.xml.withoutLastLineEnd)
    }
    if let target {
      let count = Plural.text(model.entities.count, "entity")
      context.console.note("written: \(target.path), \(count), \(Self.certainty(report.hashes))")
    }
    return .done
  }

  /// What is known of the version hashes after all was compared that could be.
  private static func certainty(_ hashes: ModelHashReport) -> String {
    let doubted = hashes.doubts.map(\.entity).joined(separator: ", ")
    return doubted.isEmpty
      ? "the version hashes are the same"
      : "the version hashes are the same but for \(doubted), which cannot be computed"
  }

  private func target(_ path: String) throws -> NewFile {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    guard path.hasSuffix(".xcdatamodel") else {
      throw UsageError("--output takes a name that ends in .xcdatamodel, not \(path.quoted)")
    }
    let file = NewFile(path: path)
    try file.checkAbsence()
    return file
  }

  /// Writes the model and reads it again.
  private func write(_ writer: ModelWriter, of model: Model, to target: NewFile) throws {
    try writer.write(to: target.path)
    let hashes = VersionHashes(of: model)
    let written = VersionHashes(of: try ModelFile(target.path).current)
    let differing = hashes.entities.keys.sorted().first { name in
      // A recorded hash that cannot be computed cannot be compared either.
      hashes.uncertain[name] == nil && written.entities[name] != hashes.entities[name]
    }
    guard let differing else { return }
    throw CommandFailure(
      .refused, "cannot trust \(target.path): read again, \(differing) has another version hash",
      hint: "Check the disk, remove what was written, and try again.")
  }
}

extension String {
  fileprivate var withoutLastLineEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
