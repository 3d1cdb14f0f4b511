internal import CSQLite
internal import OperatingSystem

/// More files on one connection.
extension Connection {
  /// What may be done to an attached file.
  package enum AttachMode: Sendable {
    case readOnly
    /// The same, of a file that another connection of this process has attached for reading.
    case readOnlyAgain
    case readWrite
    /// As ``OpenMode/still``.
    case still
    /// As ``OpenMode/loaded``.
    case loaded
  }

  /// How another connection attaches the main file to read it as this one does.
  package var attachMode: AttachMode {
    switch way {
    case .still: .still
    case .loaded: .loaded
    case .overlay, .view, nil: .readOnly
    }
  }

  /// Attaches an existing file under a schema name, after the checks of `DatabaseFile`.
  ///
  /// The connection's guards count for it as well. "ATTACH 'path'" as plain SQL would miss the
  /// checks and the rule that a file is opened once.
  package func attach(
    _ path: String, as name: String, _ mode: AttachMode
  ) throws(SQLiteError) {
    let location = try DatabaseFile.locate(path)
    let claim: OpenFiles.Claim =
      switch mode {
      case .readOnly: .shareable
      case .readOnlyAgain: .shared
      case .readWrite, .still, .loaded: .alone
      }
    try location.claim(claim)
    do throws(SQLiteError) {
      // Who has it open already has looked at it, and to look again would drop its locks.
      let own: ReadWay? = mode == .still ? .still : mode == .loaded ? .loaded : nil
      let isOverlay = own == nil && Overlay.isOne(location.path)
      if mode != .readOnlyAgain { _ = try DatabaseFile.examineClaimed(location, isOverlay) }
      OpenFiles.connect(location.identity)
      let way = isOverlay ? .view : own
      // An overlay is only read: who writes one has it as the main file, and nothing else.
      guard !isOverlay || mode != .readWrite else {
        throw SQLiteError.misuse("an overlay was attached to be written", path: location.path)
      }
      // A file that is attached is opened in the main file's way unless another one is named.
      let uri = FileURI.of(
        location.path, mode: mode == .readWrite ? "rw" : "ro", vfs: way?.name ?? SystemWay.name)
      try run("ATTACH ?1 AS ?2", [.text(uri), .text(name)])
      // What is only read is read through once: pages that were seen are seldom wanted again.
      if mode != .readWrite {
        try execute("PRAGMA \(Identifier.quoted(name)).cache_size = -512")
      }
    } catch {
      OpenFiles.release(location.identity)
      throw error
    }
    note(location.identity, attachedAs: name)
  }

  package func detach(_ name: String) throws(SQLiteError) {
    try run("DETACH ?1", [.text(name)])
    forget(name)
  }
}

/// A `file:` URI, the only way to give ATTACH an open mode.
enum FileURI {
  /// The URI of an absolute path, opened as `mode` says ("ro", "rw"), by a way of this name.
  ///
  /// SQLite ends the path at "?" or "#" and decodes "%HH" (SQLite, Uniform Resource Identifiers):
  /// so every byte that is not surely plain is written as "%HH".
  static func of(_ path: String, mode: String, vfs: String? = nil) -> String {
    var uri = "file:"
    for byte in path.utf8 {
      if isPlain(byte) {
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        uri += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return uri + "?mode=" + mode + (vfs.map { "&vfs=" + $0 } ?? "")
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "/", "-", "_", ".", "~": true
    default: false
    }
  }
}
