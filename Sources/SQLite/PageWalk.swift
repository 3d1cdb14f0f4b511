internal import OperatingSystem
internal import PageHost

/// What one pass over all pages of a database has proved: that they are sound, what is in its
/// tables, and which indexes hold what their tables hold.
///
/// To find out no more than that, SQLite's own check looks at each row once more, and to compare an
/// index it looks each row up there. Here each page is read once. The sum of a hash of all entries
/// of an index must be that of the entries that the rows call for, and each entry must stand behind
/// the one before: then a search finds what is there.
package final class PageWalk: Hashable, Sendable {
  /// What is asked of a walk.
  package enum Scope: Sendable {
    /// That all pages are sound, and no more than that.
    case pages
    /// What the rows are, too, and how many have which whole number in a column of this name.
    case rows(counting: String)
  }

  /// The indexes that hold what their tables hold.
  package let rightIndexes: Set<String>

  /// The trees, that of the schema table first.
  let trees: [WalkedTree]
  /// The owner of each page, by its number: the place of its tree, plus one.
  let owners: [UInt16]
  let pageSize: Int
  /// What the hashes were made with.
  let key: [UInt64]
  /// The database, how many frames its log had, and what that begins with.
  let path: String
  let frames: UInt32
  let log: [UInt8]

  /// How long processors worked for it.
  package let time: Duration

  private let places: [Text: Int]

  init(_ walk: TreeWalk, path: String, _ snapshot: Snapshot, time: Duration) {
    self.time = time
    (trees, owners, pageSize, key) = (walk.trees, walk.owners, walk.pageSize, walk.key)
    (self.path, frames, log) = (path, snapshot.frames.last, snapshot.frames.header)
    places = Dictionary(trees.enumerated().map { (Text($1.name), $0) }) { first, _ in first }
    rightIndexes = Set(trees.filter { walk.isRight($0) }.map(\.name))
  }

  /// A walk is itself: what it has shown of the same pages another one shows, too.
  package static func == (one: PageWalk, other: PageWalk) -> Bool { one === other }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// What is in a table; nil where that was not asked.
  package func rows(of table: String) -> WalkedRows? {
    places[Text(table)].flatMap { trees[$0].rows }
  }

  /// How many rows of a table have a number in the column that was counted; nil where that is not
  /// known.
  package func count(of number: Int, in table: String) -> Int? {
    rows(of: table)?.numbers.map { $0[Int64(number)] ?? 0 }
  }

  /// The bytes of the pages of a table or an index; nil where there is none of that name.
  package func bytes(of name: String) -> Int64? {
    places[Text(name)].map { Int64(trees[$0].pages) * Int64(pageSize) }
  }
}

/// What the rows of a table are.
package struct WalkedRows: Sendable {
  package let count: Int
  /// How many have which whole number in the column that was counted; nil where there is no such
  /// column, or a row has something else there.
  package let numbers: [Int64: Int]?
  /// What was found in each column; a column is missing where a row has its default value.
  let columns: [Text: Column]

  struct Column: Sendable {
    /// The storage classes, a bit each.
    let classes: UInt8
    /// The number of rows in which there is a value, and not NULL.
    let values: Int
  }

  /// How many rows have a value in a column; nil where that was not looked at.
  package func values(in column: String) -> Int? { columns[Text(column)]?.values }

  /// Whether all values of a column are of these classes; false where that was not looked at.
  package func has(only expected: Set<StorageClass>, in column: String) -> Bool {
    guard let found = columns[Text(column)]?.classes else { return false }
    return found & ~expected.reduce(0) { $0 | $1.bit } == 0
  }
}

/// A tree, what is asked of it, and what was found in it.
struct WalkedTree: Sendable {
  let name: String
  var root: UInt32
  let isTable: Bool

  /// The columns of a table whose rows are looked at.
  var columns: [String] = []
  /// The bits of what each of them may not have.
  var forbidden: [UInt8] = []
  /// Of those, the one whose numbers are counted.
  var counted: Int?
  /// The one that is no field of a row, but its key.
  var alias: Int?
  /// Of an index that is compared: the place of its table, and which columns of that it has.
  var table: Int?
  var keys: [UInt16] = []
  var descending: UInt32 = 0
  var isUnique = false

  /// Whether an earlier walk has found all of this.
  var isKnown = false
  var pages: UInt64 = 0
  var count: UInt64 = 0
  var isOrdered = false
  var sum: UInt64 = 0
  /// The sum that the rows call for; nil where they were not all looked at.
  var expected: UInt64?
  var mapSum: UInt64 = 0
  var rows: WalkedRows?

  /// Takes over what was found in the same tree, if it is what is asked of this one.
  mutating func take(over found: WalkedTree) -> Bool {
    guard found.isTable == isTable else { return false }
    let isAsked = isTable ? !columns.isEmpty : table != nil
    let isFound =
      isTable
      ? found.columns == columns && found.forbidden == forbidden
        && (counted == nil || found.counted == counted)
      : found.table != nil && found.keys.count == keys.count && found.descending == descending
        && found.isUnique == isUnique
    guard !isAsked || isFound else { return false }
    (isKnown, pages, count, mapSum) = (true, found.pages, found.count, found.mapSum)
    (isOrdered, sum, rows) = (found.isOrdered, found.sum, found.rows)
    return true
  }
}

extension StorageClass {
  /// Its bit among those of a walk.
  fileprivate var bit: UInt8 {
    switch self {
    case .null: UInt8(PH_NULL)
    case .integer: UInt8(PH_INTEGER)
    case .real: UInt8(PH_REAL)
    case .text: UInt8(PH_TEXT)
    case .blob: UInt8(PH_BLOB)
    }
  }
}

extension Connection {
  /// The tables of which this overlay has the same pages as the file at its bottom; none where that
  /// is not `base`, over whose pages the walk went.
  ///
  /// A table's pages are those that the walk found in its tree: where the log has none of them, and
  /// the tree begins where it did, each row is read from the base.
  package func untouched(since walk: PageWalk, _ base: String) throws(SQLiteError) -> Set<String> {
    guard isOverlay(on: base), walk.path != path else { return [] }
    let snapshot = try Snapshot(self)
    defer { try? snapshot.end() }
    return Set(try tables(unwrittenSince: walk, snapshot).map(\.name))
  }

  /// What a walk over this overlay, as it was before, has found in the tables that were not written
  /// since; nothing where it went over another database.
  package func rows(since walk: PageWalk?) throws(SQLiteError) -> [String: WalkedRows] {
    guard let walk, hasBeen(walkedBy: walk) else { return [:] }
    let snapshot = try Snapshot(self)
    defer { try? snapshot.end() }
    let known = try tables(unwrittenSince: walk, snapshot).compactMap { tree in
      tree.rows.map { (tree.name, $0) }
    }
    return Dictionary(known) { first, _ in first }
  }

  /// The tables whose pages are those that a walk has found.
  private func tables(
    unwrittenSince walk: PageWalk, _ snapshot: Snapshot
  ) throws(SQLiteError) -> [WalkedTree] {
    guard let pages = written(since: walk, snapshot) else { return [] }
    let written = Set(
      pages.lazy.map { Int($0) }.filter { $0 < walk.owners.count }.map { Int(walk.owners[$0]) })
    let roots = try Schema(of: self).objects(of: .table).map { (Text($0.name), $0.rootPage) }
    let now = Dictionary(roots) { first, _ in first }
    return walk.trees.enumerated().filter { place, tree in
      tree.isTable && !written.contains(place + 1) && now[Text(tree.name)] == Int64(tree.root)
    }.map(\.element)
  }

  /// The pages that this overlay has written since a walk over itself or over what it begins with;
  /// nil where that does not show.
  ///
  /// Who writes has its own log by its frames, who only reads has it among the pages that changed.
  /// A log only grows, and one that was made again begins otherwise: "a different salt-1 value is
  /// used" (Database File Format, 4).
  private func written(since walk: PageWalk, _ snapshot: Snapshot) -> [UInt32]? {
    guard let overlay else { return nil }
    let own = overlay.log ?? snapshot.frames
    if walk.path == path {
      // One that has been emptied says nothing: it may have been filled and emptied since.
      // And one that was cut off is not the one that the walk has read.
      guard own.header == walk.log, !walk.log.isEmpty, own.last >= walk.frames else { return nil }
      return own.pages.filter { $0.value > walk.frames }.map(\.key)
    }
    return Array(overlay.changes.pages.union(own.pages.keys))
  }

  /// Whether a walk was one over this overlay, as it was before.
  func hasBeen(walkedBy walk: PageWalk) -> Bool { isOverlay && walk.path == path }

  /// Walks over all pages of the main file, as it is now; nil where that does not prove it sound.
  ///
  /// What is not proved may be sound all the same: SQLite's own check says.
  ///
  /// - Parameters:
  ///   - scope: What is asked.
  ///   - stand: Tables whose indexes are compared with the rows of another one, by its name.
  ///   - earlier: A walk over this overlay as it was before, or over what it begins with: what the
  ///     log has not is as it was then.
  ///   - isOwn: Whether the tables are ours, and meet their constraints: these are not looked at.
  /// - Returns: What was found; nil where the pages are not proved sound.
  /// - Throws: ``SQLiteError`` when the time is over, or the connection is interrupted.
  package func walk(
    _ scope: PageWalk.Scope, comparing stand: [String: String] = [:],
    since earlier: PageWalk? = nil, isOwn: Bool = false
  ) throws(SQLiteError) -> PageWalk? {
    // A snapshot has what is committed, and nothing else.
    guard transactionState() != .write else { return nil }
    let start = Threads.time
    do {
      let snapshot = try Snapshot(self)
      defer { try? snapshot.end() }
      guard let list = try TreeList(of: self, scope, standIns: stand, isOwn: isOwn) else {
        return nil
      }
      let (pageSize, pageCount) = try snapshot.extent()
      guard try snapshot.hasRoom(for: pageCount, pageSize: pageSize) else { return nil }
      var walk = PageWalk.TreeWalk(list, pageSize: pageSize, pageCount: pageCount)
      if let earlier, let written = written(since: earlier, snapshot) {
        walk.take(over: earlier, written: written)
      }
      let reader = PageReader(snapshot, pageSize: pageSize, pageCount: pageCount)
      // What was read may have come from a log that is another one by now.
      guard try walk.run(reader), try !snapshot.leaveRestartedLog() else { return nil }
      let time = Threads.time - start + reader.helped
      return PageWalk(walk, path: path, snapshot, time: time)
    } catch {
      // Whatever else it is, SQLite's check meets it, too.
      guard error.isInterrupted else { return nil }
      throw error
    }
  }
}
