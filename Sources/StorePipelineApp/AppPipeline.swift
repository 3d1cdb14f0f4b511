internal import CoreDataStore
internal import Formats
public import Foundation
internal import StoreReplacement

/// A pipeline file with its scripts and models, as an app has them: in its bundle, or downloaded.
///
/// The texts are held in memory from here on: what was compared with the digests is what runs.
public struct AppPipeline: Sendable {
  /// The pipeline file's name among the texts.
  public let name: String
  /// Values for the file's params, by name.
  public var parameters: [String: String] = [:]

  /// The pipeline file and its scripts, by path relative to the pipeline file's folder.
  private let texts: [String: Data]
  /// The models, by path relative to the same folder.
  private let models: [String: URL]

  /// A pipeline of an app's bundle, or of another folder.
  ///
  /// - Parameters:
  ///   - name: The pipeline file's name, "upgrade.pipeline".
  ///   - folder: The folder with the pipeline file, its scripts and its models.
  ///   - digests: The SHA-256 of each text that may be used, in hexadecimal digits, by path
  ///     relative to the folder; nil where the folder is trusted, as that of a signed app is.
  /// - Throws: ``MigrationError`` when a text is not what the digests say, or cannot be read.
  public init(_ name: String, in folder: URL, digests: [String: String]? = nil) throws {
    var (texts, models): ([String: Data], [String: URL]) = ([:], [:])
    do {
      for (path, kind) in Self.files(in: folder) {
        let url = folder.appending(path: path)
        switch kind {
        case .text: texts[path] = try Data(contentsOf: url)
        case .model: models[path] = url
        }
      }
    } catch {
      throw Self.refusal(folder.path, "It cannot be read: \(error.localizedDescription)", .refused)
    }
    try self.init(name, texts: texts, models: models, digests: digests)
  }

  /// A pipeline that came as data, by a download for instance.
  ///
  /// - Parameters:
  ///   - name: The pipeline file's name among the texts.
  ///   - texts: The pipeline file and the scripts, by path relative to the pipeline file's
  ///     folder.
  ///   - models: The models; the pipeline file calls them by the last part of their paths.
  ///   - digests: The SHA-256 of each text that may be used, in hexadecimal digits, by its path.
  /// - Throws: ``MigrationError`` when a text is not what the digests say.
  public init(
    _ name: String, texts: [String: Data], models: [URL], digests: [String: String]
  ) throws {
    let named = Dictionary(models.map { ($0.lastPathComponent, $0) }) { first, _ in first }
    guard named.count == models.count else {
      throw Self.refusal(name, "Two of its models have the same name.")
    }
    try self.init(name, texts: texts, models: named, digests: digests)
  }

  private init(
    _ name: String, texts: [String: Data], models: [String: URL], digests: [String: String]?
  ) throws {
    (self.name, self.texts, self.models) = (name, texts, models)
    guard texts[name] != nil else {
      throw Self.refusal(name, "There is no such file among the texts.")
    }
    for (path, text) in texts.sorted(by: { $0.key < $1.key }) {
      guard Self.isInside(path) else {
        throw Self.refusal(path, "Its path leads out of the pipeline's folder.")
      }
      guard let digests else { continue }
      let digest = Hex.encode(Digest.sha256(Array(text)))
      guard digests[path]?.lowercased() == digest else {
        throw Self.refusal(path, "The app's list does not have its SHA-256, \(digest).")
      }
    }
  }

  private static func refusal(
    _ subject: String, _ why: String, _ kind: Failure.Kind = .misuse
  ) -> MigrationError {
    MigrationError(
      Failure(
        kind, what: "cannot take the pipeline", subject: subject, why: why,
        remedy: "Give the app the files and the digests that belong together."),
      folder: nil)
  }

  /// Whether a path stays below the folder that it begins in.
  private static func isInside(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.allSatisfy { !["", ".", ".."].contains($0) } && !path.contains("\0")
  }
}

// Files.
extension AppPipeline {
  private enum Kind { case text, model }

  private static let kinds: [String: Kind] = [
    "pipeline": .text, "lua": .text, "json": .text,
    "momd": .model, "mom": .model, "xcdatamodeld": .model, "xcdatamodel": .model,
  ]

  /// The texts and models below a folder.
  private static func files(in folder: URL) -> [(path: String, kind: Kind)] {
    guard let names = FileManager.default.enumerator(atPath: folder.path) else { return [] }
    var found: [(String, Kind)] = []
    while let name = names.nextObject() as? String {
      guard let kind = kinds[URL(filePath: name).pathExtension] else { continue }
      if kind == .model { names.skipDescendants() }
      found.append((name, kind))
    }
    return found
  }

  /// Runs the body with the path of the pipeline file, in a folder that goes with the call.
  func unpacked<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    try await ScratchFolder.with { folder in
      do {
        for (path, text) in texts { try text.write(to: Self.place(path, in: folder)) }
        for (path, model) in models {
          try FileManager.default.createSymbolicLink(
            at: Self.place(path, in: folder), withDestinationURL: model.absoluteURL)
        }
      } catch {
        throw Self.refusal(folder, "It cannot be made: \(error.localizedDescription)", .refused)
      }
      do {
        return try await body("\(folder)/\(name)")
      } catch let error where !(error is CancellationError) {
        throw (error as? MigrationError) ?? MigrationError(error, folder: folder)
      }
    }
  }

  /// Where a text goes; its folder is there then.
  private static func place(_ path: String, in folder: String) throws -> URL {
    let place = URL(filePath: folder).appending(path: path)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    return place
  }
}
