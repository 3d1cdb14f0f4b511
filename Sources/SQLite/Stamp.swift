package import OperatingSystem

/// What shows cheaply that a store was written since: equal stamps are likely, not surely, equal
/// content; for certainty compare page images.
package struct Stamp: Hashable, Codable, Sendable {
  package let identity: FileIdentity
  /// Its length in bytes.
  package let size: Int64
  /// When its content changed last, in nanoseconds since 1970.
  package let modified: Int64
  /// When it or its attributes changed last.
  package let changed: Int64
  /// The file change counter of its header.
  package let changeCounter: UInt32
  /// The salts of the -wal, 8 bytes; empty without a log.
  package let walSalts: [UInt8]
  /// The length of the -wal; 0 without one.
  package let walSize: Int64
  /// When the -wal was written last, in nanoseconds since 1970; 0 while it is empty.
  ///
  /// Length and salts do not show every commit: "the writer will rewind the WAL back to the
  /// beginning and start putting new transactions at the beginning" (SQLite, Write-Ahead Logging),
  /// and until these have filled its old length, both stay.
  package let walModified: Int64

  /// A stamp from its parts, as a record has them.
  package init(
    identity: FileIdentity, size: Int64, modified: Int64, changed: Int64, changeCounter: UInt32,
    walSalts: [UInt8], walSize: Int64, walModified: Int64
  ) {
    self.identity = identity
    self.size = size
    self.modified = modified
    self.changed = changed
    self.changeCounter = changeCounter
    self.walSalts = walSalts
    self.walSize = walSize
    self.walModified = walModified
  }

  /// The stamp of a file that no connection of this process has open.
  package init(ofFile path: String) throws(SQLiteError) {
    let location = try DatabaseFile.locate(path)
    try location.claim()
    defer { OpenFiles.release(location.identity) }
    let header = try asking(about: path) { () throws(SystemError) in
      try OpenDescriptor(reading: location.path).read(DatabaseHeader.length, at: 0)
    }
    try self.init(location.path, header: header)
  }

  /// The stamp of a connection's main file, whose header is read through SQLite's own handle.
  package init(of connection: Connection) throws(SQLiteError) {
    let header = try OpenFile.main(of: connection).bytes(DatabaseHeader.length, at: 0)
    try self.init(connection.path, header: header ?? [])
  }

  private init(_ path: String, header: [UInt8]) throws(SQLiteError) {
    let status = try asking(about: path) { () throws(SystemError) in try FileEntry.at(path) }
    guard let status else { throw .missing(path) }
    identity = status.identity
    size = status.size
    modified = status.modified
    changed = status.changed
    changeCounter = header.count == DatabaseHeader.length ? header.bigEndian32(at: 24) : 0
    (walSize, walModified, walSalts) = try Self.readLog(path + "-wal")
  }

  /// SQLite locks the main file and the -shm, never the -wal: a descriptor of it does no harm.
  private static func readLog(_ path: String) throws(SQLiteError) -> (Int64, Int64, [UInt8]) {
    try asking(about: path) { () throws(SystemError) in
      // A reader may make an empty one: that is as good as none.
      guard try FileEntry.at(path).map({ $0.size > 0 }) == true else { return (0, 0, []) }
      let file = try OpenDescriptor(reading: path)
      let entry = try FileEntry.of(file)
      let header = try file.read(24, at: 0)
      let salts = header.count == 24 ? Array(header[16...]) : []
      return (entry.size, entry.modified, salts)
    }
  }
}
