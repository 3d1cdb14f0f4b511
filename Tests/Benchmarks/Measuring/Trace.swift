import Foundation

/// What a command asked of the system, as strace wrote it down.
struct Trace {
  /// The bytes of the store that the command migrated.
  var size: Int
  /// The bytes that it wrote to files.
  var written = 0
  /// The bytes that it read from files.
  var read = 0
  /// How often it waited for the disk.
  var syncs = 0
  /// How many files it made, those without a name among them.
  var files = 0
  /// The same for each file, by its path in the folder of the run.
  private(set) var uses: [String: Use] = [:]

  /// What a command did with one file, or with all that are named alike.
  struct Use: Equatable {
    /// The bytes that it wrote.
    var written = 0
    /// The bytes that it read.
    var read = 0
    /// How often it waited for the disk.
    var syncs = 0
  }

  private let folder: String

  // Calls that another process interrupted, by the process that began them.
  private var begun: [String: String] = [:]
  // A file that was opened before is not made by opening it again.
  private var known: Set<String> = []

  /// Nothing as yet, of a command that migrates a store of this size in a folder.
  init(of size: Int, in folder: String = "/") {
    self.size = size
    self.folder = folder.hasSuffix("/") ? folder : folder + "/"
  }

  /// Reads what strace wrote into a file.
  init(of size: Int, in folder: String = "/", reading file: URL) throws {
    self.init(of: size, in: folder)
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    let newline = UInt8(ascii: "\n")
    var bytes: [UInt8] = []
    while let more = try handle.read(upToCount: 1 << 20), !more.isEmpty {
      bytes += more
      guard let end = bytes.lastIndex(of: newline) else { continue }
      for line in bytes[..<end].split(separator: newline) {
        add(String(decoding: line, as: UTF8.self))
      }
      bytes.removeSubrange(...end)
    }
  }

  /// Takes the next line: a process and its call, or the beginning or the end of one.
  mutating func add(_ line: String) {
    let process = line.prefix { $0 != " " }
    let call = line[process.endIndex...].drop { $0 == " " }
    if call.hasSuffix(Self.unfinished) {
      begun[String(process)] = String(call.dropLast(Self.unfinished.count))
    } else if call.hasPrefix("<... ") {
      guard let start = begun.removeValue(forKey: String(process)),
        let mark = call.firstIndex(of: ">")
      else { return }
      take(start[...] + call[mark...].dropFirst())
    } else {
      take(call)
    }
  }

  private static let unfinished = "<unfinished ...>"
}

// What is asked of strace.
extension Trace {
  private enum Kind {
    case read, write, sync, open, remove, rename, link
  }

  private static let calls: [(kind: Kind, names: [String])] = [
    (.read, ["read", "pread64", "readv", "preadv", "preadv2"]),
    (.write, ["write", "pwrite64", "writev", "pwritev", "pwritev2"]),
    // Bytes that one file gives to another are written, too.
    (.write, ["copy_file_range", "sendfile"]),
    (.sync, ["fsync", "fdatasync", "sync_file_range", "msync", "sync", "syncfs"]),
    (.open, ["open", "openat", "openat2", "creat"]),
    (.remove, ["unlink", "unlinkat"]),
    (.rename, ["rename", "renameat", "renameat2"]), (.link, ["link", "linkat"]),
  ]

  private static let kinds = Dictionary(
    uniqueKeysWithValues: calls.flatMap { kind, names in names.map { ($0, kind) } })

  /// A command that ends with 0 where strace is there and may look at others.
  static let test = ["strace", "-o", "/dev/null", "true"]

  /// The words in front of a command that is traced into a file.
  static func words(into file: URL) -> [String] {
    // Not every processor has every call: those behind a question mark may be missing.
    let names = calls.flatMap(\.names).map { "?" + $0 }.joined(separator: ",")
    return ["strace", "-f", "-y", "-qq", "-s", "0", "-a", "1", "-o", file.path]
      + ["-e", "signal=none", "-e", "trace=\(names)"]
  }
}

// A call that has ended: `pwrite64(3</a/b>, ""..., 4096, 0) = 4096`.
extension Trace {
  private mutating func take(_ call: Substring) {
    var call = call
    var file: String?
    // The name of a file that was opened stands behind its number: `= 3</a/b>`.
    if call.last == ">", let mark = call.lastIndex(of: "<") {
      file = String(call[mark...].dropFirst().dropLast())
      call = call[..<mark]
    }
    guard let open = call.firstIndex(of: "("), let equals = call.lastIndex(of: "="),
      open < equals, let kind = Self.kinds[String(call[..<open])],
      let result = Self.number(call[equals...].dropFirst()), result >= 0
    else { return }
    var words = call[open..<equals].dropFirst()
    // The file that is written is the second one of these.
    if call.hasPrefix("copy_file_range("), let mark = words.lastIndex(of: "<") {
      words = words[mark...]
    }
    switch kind {
    case .read, .write, .sync: use(kind, words, bytes: result)
    case .open: count(file, isMade: call.hasPrefix("creat(") || words.contains("O_CREAT"), words)
    case .remove: known.subtract(Self.files(in: words))
    case .rename:
      let files = Self.files(in: words)
      known.subtract(files.prefix(1))
      known.formUnion(files.suffix(1))
    case .link: known.formUnion(Self.files(in: words))
    }
  }

  private mutating func use(_ kind: Kind, _ words: Substring, bytes: Int) {
    let file = Self.file(words)
    guard file != nil || kind == .sync else { return }
    let name = file.map(name) ?? "no file"
    switch kind {
    case .read:
      read += bytes
      uses[name, default: Use()].read += bytes
    case .write:
      written += bytes
      uses[name, default: Use()].written += bytes
    default:
      syncs += 1
      uses[name, default: Use()].syncs += 1
    }
  }

  /// A name of a file that is the same in each run: what is made up for a run is a star.
  private func name(_ path: Substring) -> String {
    let path = path.hasSuffix(Self.deleted) ? path.dropLast(Self.deleted.count) : path
    guard path.hasPrefix(folder) || path + "/" == folder else { return "outside" }
    let name = String(path.dropFirst(folder.count))
    return name.isEmpty
      ? "."
      : name.replacing(/backups\/[^\/]+/, with: "backups/*")
        .replacing(/[0-9A-Fa-f]{8}-[0-9A-Fa-f-]{27}/, with: "*")
        .replacing(/etilqs_\w+|TemporaryDirectory\.\w+/, with: "*")
  }

  private static let deleted = " (deleted)"

  private mutating func count(_ file: String?, isMade: Bool, _ words: Substring) {
    // A file without a name is always new, and strace says that it is deleted.
    if words.contains("O_TMPFILE") {
      files += 1
    } else if let file, known.insert(file).inserted, isMade {
      files += 1
    }
  }

  private static func number(_ text: Substring) -> Int? {
    Int(text.drop { $0 == " " }.prefix { $0 == "-" || $0.isNumber })
  }

  /// The first word's file on a disk, if it is one; `-y` shows pipes and sockets without a slash.
  private static func file(_ words: Substring) -> Substring? {
    let name = words.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
    let isFile = name.hasPrefix("/") && !["/dev/", "/proc/"].contains { name.hasPrefix($0) }
    return isFile ? name : nil
  }

  /// The files that a call names; a relative name is in the folder before it.
  private static func files(in words: Substring) -> [String] {
    var folder: Substring = ""
    var files: [String] = []
    for word in words.split(separator: ", ") {
      if let mark = word.firstIndex(of: "<") {
        folder = word[mark...].dropFirst().prefix { $0 != ">" }
      }
      guard word.hasPrefix("\"") else { continue }
      let name = word.dropFirst().prefix { $0 != "\"" }
      files.append(name.hasPrefix("/") ? String(name) : "\(folder)/\(name)")
    }
    return files
  }
}
