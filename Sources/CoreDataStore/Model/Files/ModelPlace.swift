internal import Foundation
internal import OperatingSystem

/// A path where a model may be, and what the file system says of it.
struct ModelPlace {
  let path: String

  init(_ path: String) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The last part of the path, without its extension.
  static func stem(_ path: String) -> String {
    URL(filePath: path).deletingPathExtension().lastPathComponent
  }

  /// Names so that "App 2" stands before "App 10".
  static func naturalOrder(_ names: some Sequence<String>) -> [String] {
    names.sorted {
      let order = $0.compare($1, options: .numeric)
      return order == .orderedSame ? NameOrder.precedes($0, $1) : order == .orderedAscending
    }
  }

  /// No model is larger; compiled ones of several hundred entities take a few megabytes.
  private static let largest = 64 << 20

  /// The bytes of a file.
  static func contents(of path: String) throws(Failure) -> [UInt8] {
    let entry = FileSystem.entry(following: path)
    guard entry == nil || entry?.isRegular == true, entry?.size ?? 0 <= Int64(largest) else {
      throw Failure(readingModel: "", why: "It is not a file, or larger than any data model.")
    }
    do throws(SystemError) {
      let file = try OpenDescriptor(following: path)
      var bytes: [UInt8] = []
      // It may have grown meanwhile.
      while bytes.count <= largest {
        let piece = try file.read(FileSystem.piece, at: Int64(bytes.count))
        if piece.isEmpty { break }
        bytes += piece
      }
      return bytes
    } catch {
      throw .refused(readingModel: "", why: "The file cannot be read: \(error.words).")
    }
  }

  /// The file of a source version: newer models have `contents`, the oldest ones do not.
  static func sourceContents(_ folder: String) throws(Failure) -> String {
    let place = ModelPlace(folder)
    if ModelPlace(place.below("contents")).exists { return place.below("contents") }
    guard ModelPlace(place.below("elements")).exists else {
      _ = try place.entries()
      throw Failure(readingModel: "", why: "The folder has no file \"contents\".")
    }
    throw Failure(
      readingModel: "",
      why: "It is kept in the binary form of Xcode 3 (\"elements\"), which is not read here.",
      remedy: "Open the model in Xcode and save it, or give its compiled form, .mom or .momd.")
  }

  /// The folder that it is in.
  var folder: ModelPlace {
    guard let slash = path.lastIndex(of: "/") else { return ModelPlace(".") }
    return ModelPlace(slash == path.startIndex ? "/" : String(path[..<slash]))
  }

  /// What stands behind the last dot of its name.
  var fileExtension: String { URL(filePath: path).pathExtension.lowercased() }

  /// Whether anything is there.
  var exists: Bool { FileSystem.entry(following: path) != nil }

  /// The path of something in this folder.
  func below(_ name: String) -> String { "\(path)/\(name)" }

  private var isFolder: Bool { FileSystem.entry(following: path)?.isFolder == true }

  /// The model that a path means, and its form: of a folder that is none by its name, the one
  /// model in it, or the versions in it.
  func model() throws(Failure) -> (place: ModelPlace, kind: ModelFile.Kind) {
    guard ModelFile.Kind(rawValue: fileExtension) == nil, isFolder,
      let names = try? FileSystem.names(in: path)
    else { return (self, try kind()) }
    let models = names.filter { !$0.hasPrefix(".") }.sorted().compactMap { name in
      ModelFile.Kind(rawValue: ModelPlace(name).fileExtension).map { (name: name, kind: $0) }
    }
    guard let first = models.first else { return (self, try kind()) }
    switch first.kind {
    case .source where models.allSatisfy({ $0.kind == .source }): return (self, .sourceVersions)
    case .compiled where models.allSatisfy({ $0.kind == .compiled }):
      return (self, .compiledVersions)
    case .source, .compiled, .sourceVersions, .compiledVersions:
      guard models.count == 1 else {
        let list = models.prefix(3).map(\.name).joined(separator: ", ")
        let rest = models.count > 3 ? " ..." : ""
        throw Failure(
          readingModel: path,
          why: "It is a folder with \(models.count) models, \(list)\(rest).",
          remedy: "Give the one that is meant, such as \(below(first.name)).")
      }
      let place = ModelPlace(below(first.name))
      return (place, try place.kind())
    }
  }

  /// The form of the model, by its name and by what it is.
  func kind() throws(Failure) -> ModelFile.Kind {
    guard exists else {
      try checkSearch()
      let models = ((try? FileSystem.names(in: folder.path)) ?? []).filter {
        ModelFile.Kind(rawValue: ModelPlace($0).fileExtension) != nil
      }.sorted().prefix(3)
      let list = models.isEmpty ? "." : "; there is \(models.joined(separator: ", "))."
      throw Failure(
        readingModel: path, why: "There is no such file or folder.",
        remedy: "Check the path\(list)")
    }
    if let kind = ModelFile.Kind(rawValue: fileExtension), isFolder == (kind != .compiled) {
      return kind
    }
    if !isFolder, path.hasSuffix(".xcdatamodel/contents") { return .source }
    let found =
      fileExtension == "xcmappingmodel"
      ? "a mapping model" : "\(isFolder ? "a folder" : "a file") of another kind"
    throw Failure(
      readingModel: path, why: "It is \(found), no data model.",
      remedy: "Give an .xcdatamodeld, .xcdatamodel, .momd or .mom.")
  }

  /// Distinguishes a path that may not be followed from one where nothing is.
  private func checkSearch() throws(Failure) {
    do {
      _ = try FileEntry.at(path)
    } catch {
      throw .refused(readingModel: path, why: "\(error.message).")
    }
  }

  /// Where each version is, by the version's name.
  func locations(_ kind: ModelFile.Kind) throws(Failure) -> [String: String] {
    switch kind {
    case .source where !isFolder: [Self.stem(folder.path): folder.path]
    case .source, .compiled: [Self.stem(path): path]
    case .sourceVersions: try versions("xcdatamodel")
    case .compiledVersions: try versions("mom")
    }
  }

  private func versions(_ ending: String) throws(Failure) -> [String: String] {
    let entries: [String]
    do {
      entries = try self.entries()
    } catch {
      throw error.inside(path)
    }
    // Names that begin with a dot are other things: "._App.mom" is what macOS puts next to
    // "App.mom" on disks that cannot keep a file's attributes.
    let files = entries.filter { $0.hasSuffix(".\(ending)") && !$0.hasPrefix(".") }
    guard !files.isEmpty else {
      throw Failure(
        readingModel: path, why: "No version is in it, nothing that ends in .\(ending).")
    }
    return Dictionary(files.map { (Self.stem($0), below($0)) }) { first, _ in first }
  }

  private func entries() throws(Failure) -> [String] {
    do throws(SystemError) {
      return try FileSystem.names(in: path)
    } catch {
      throw .refused(readingModel: "", why: "The folder cannot be read: \(error.words).")
    }
  }
}
