import CSQLite
import PageHost

/// One input of the fuzzer: changes to the bytes of a database, four bytes each, the place first.
///
/// A walk must end, read no byte outside its pages, and call nothing sound that SQLite calls
/// damaged.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPages(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  for sample in Sample.all {
    var bytes = sample.bytes
    for place in stride(from: 0, to: input.count - 3, by: 4) {
      let offset = input[place..<place + 3].reduce(0) { $0 << 8 | Int($1) }
      bytes[offset % bytes.count] = input[place + 3]
    }
    // The length, the page size and the schema are SQLite's to know, not the walk's.
    for kept in [16..<18, 28..<32, 100..<sample.pageSize] {
      bytes.replaceSubrange(kept, with: sample.bytes[kept])
    }
    guard sample.isSound(bytes) else { continue }
    let problem = check(bytes)
    if problem != "ok" { print("called sound, but:", problem) }
    precondition(problem == "ok")
  }
  return 0
}

/// A database that is sound, and its trees.
private struct Sample {
  let bytes: [UInt8]
  let pageSize: Int
  let roots: [(root: UInt32, isTable: Bool)]

  static let all = [(1024, 0), (2048, 2)].map { Sample(pageSize: $0, vacuum: $1) }

  private init(pageSize: Int, vacuum: Int) {
    let database = open()
    defer { unsafe sqlite3_close(database) }
    run(
      """
      PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = \(vacuum);
      CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, a INTEGER, b VARCHAR, c);
      CREATE TABLE p (x INTEGER, y INTEGER, PRIMARY KEY (x, y));
      CREATE INDEX a ON t (a); CREATE INDEX b ON t (b, a DESC);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
      INSERT INTO t SELECT i, 1 + i % 3, i * 7919 % 107,
      CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN printf('%0400d', i) ELSE 'a' || i END,
      CASE i % 4 WHEN 0 THEN i + 0.25 WHEN 1 THEN zeroblob(i * 40) ELSE -i END FROM n;
      INSERT INTO p SELECT a, Z_PK FROM t; DELETE FROM t WHERE Z_PK % 7 = 0 AND Z_PK > 40
      """, database)
    var size: Int64 = 0
    let start = unsafe sqlite3_serialize(database, "main", &size, 0)
    defer { unsafe sqlite3_free(start) }
    bytes = unsafe Array(UnsafeBufferPointer(start: start, count: Int(size)))
    self.pageSize = pageSize
    var roots: [(UInt32, Bool)] = [(1, true)]
    query("SELECT rootpage, type = 'table' FROM sqlite_master", database) { statement in
      let isTable = unsafe sqlite3_column_int(statement, 1) == 1
      roots.append((UInt32(unsafe sqlite3_column_int(statement, 0)), isTable))
    }
    self.roots = roots
  }

  /// Whether a walk over these bytes calls them sound.
  func isSound(_ bytes: [UInt8]) -> Bool {
    let pages = bytes.count / pageSize
    let fields = UnsafeMutablePointer<ph_field>.allocate(capacity: 5 * roots.count)
    unsafe fields.initialize(repeating: ph_field(), count: 5 * roots.count)
    defer { unsafe fields.deallocate() }
    let keys: [UInt16] = [2, 3, 2]
    var owners = [UInt16](repeating: 0, count: pages + 1)
    return unsafe keys.withUnsafeBufferPointer { keys in
      var trees = unsafe roots.enumerated().map { place, tree in
        var raw = unsafe ph_tree()
        unsafe (raw.root, raw.is_table, raw.counted, raw.table) = (tree.root, tree.isTable, -1, -1)
        if tree.isTable, place > 0 {
          unsafe (raw.fields, raw.field_count) = (fields + 5 * place, place == 1 ? 5 : 2)
        }
        return unsafe raw
      }
      // The indexes of the first table: of one column, and of two.
      let indexes = roots.indices.filter { !roots[$0].isTable }.suffix(2)
      if let first = indexes.first, let last = indexes.last {
        unsafe (trees[first].table, trees[first].key_count) = (1, 1)
        unsafe trees[first].keys = keys.baseAddress
        unsafe (trees[last].table, trees[last].key_count, trees[last].descending) = (1, 2, 2)
        unsafe trees[last].keys = keys.baseAddress.map { unsafe $0 + 1 }
      }
      return unsafe walk(bytes, pages, &trees, &owners)
    }
  }

  /// Whether no number is in a column of text, and no text in one of numbers.
  private static func hasTypes(_ tree: ph_tree) -> Bool {
    guard let fields = unsafe tree.fields else { return true }
    let (number, text) = (UInt8(PH_INTEGER | PH_REAL), UInt8(PH_TEXT))
    let isPairs = unsafe tree.field_count == 2
    let forbidden = isPairs ? [text, text] : [text, text, text, number, 0]
    return forbidden.indices.allSatisfy {
      unsafe fields[$0].classes & (forbidden[$0] | UInt8(PH_MISSING)) == 0
    }
  }

  private func walk(
    _ bytes: [UInt8], _ pages: Int, _ trees: inout [ph_tree], _ owners: inout [UInt16]
  ) -> Bool {
    let sums = UnsafeMutablePointer<ph_sum>.allocate(capacity: unsafe trees.count)
    unsafe sums.initialize(repeating: ph_sum(), count: trees.count)
    defer { unsafe sums.deallocate() }
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe trees.withUnsafeMutableBufferPointer { trees in
        unsafe owners.withUnsafeMutableBufferPointer { owners in
          var file = unsafe ph_file()
          var source = unsafe (bytes, pageSize)
          return unsafe withUnsafeMutablePointer(to: &source) { source in
            let read: ph_read = { context, page, target in
              guard
                let source = unsafe context?.assumingMemoryBound(
                  to: (UnsafeRawBufferPointer, Int).self), let target = unsafe target
              else { return false }
              let (bytes, size) = unsafe source.pointee
              let start = (Int(page) - 1) * size
              guard start >= 0, start + size <= bytes.count, let first = unsafe bytes.baseAddress
              else { return false }
              unsafe target.update(
                from: first.assumingMemoryBound(to: UInt8.self) + start, count: size)
              return true
            }
            unsafe (file.page_size, file.page_count) = (UInt32(pageSize), UInt32(pages))
            unsafe file.key = (1, 2)
            unsafe (file.trees, file.tree_count) = (trees.baseAddress, UInt32(trees.count))
            unsafe (file.owners, file.expected) = (owners.baseAddress, sums)
            return unsafe ph_begin(&file, read, source) == PH_SOUND
              && ph_walk(&file, read, source) == PH_SOUND && ph_end(&file) == PH_SOUND
              && trees.allSatisfy(Self.hasTypes)
          }
        }
      }
    }
  }
}

/// What SQLite's own check says of a database in memory.
private func check(_ bytes: [UInt8]) -> String {
  let database = open()
  defer { unsafe sqlite3_close(database) }
  let copy = unsafe sqlite3_malloc64(UInt64(bytes.count))?.assumingMemoryBound(to: UInt8.self)
  unsafe bytes.withUnsafeBufferPointer { bytes in
    if let first = unsafe bytes.baseAddress { unsafe copy?.update(from: first, count: bytes.count) }
  }
  unsafe sqlite3_deserialize(
    database, "main", copy, Int64(bytes.count), Int64(bytes.count),
    UInt32(SQLITE_DESERIALIZE_FREEONCLOSE))
  var said = "ok"
  // A schema that cannot be read is none of a store that is walked over.
  query("PRAGMA quick_check", database) { statement in
    if let text = unsafe sqlite3_column_text(statement, 0) {
      said = unsafe String(cString: text)
    }
  }
  return said
}

private func open() -> OpaquePointer? {
  var database: OpaquePointer?
  unsafe sqlite3_open(":memory:", &database)
  return unsafe database
}

private func run(_ sql: String, _ database: OpaquePointer?) {
  unsafe sqlite3_exec(database, sql, nil, nil, nil)
}

private func query(
  _ sql: String, _ database: OpaquePointer?, _ body: (OpaquePointer?) -> Void
) {
  var statement: OpaquePointer?
  unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil)
  defer { unsafe sqlite3_finalize(statement) }
  while unsafe sqlite3_step(statement) == SQLITE_ROW { unsafe body(statement) }
}
