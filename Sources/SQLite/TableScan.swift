internal import PageHost

// A look at rows of tables as they lie in the pages, without SQLite's help.
extension PageWalk {
  /// What is asked of the rows of a table.
  package struct Question: Sendable {
    package var table: String
    /// A column whose whole numbers are counted.
    package var counted: String?
    /// Columns of which the numbers are wanted, and the least that is none of the set; nil is the
    /// row's key.
    package var sets: [(column: String?, limit: Int64)] = []

    package init(_ table: String) { self.table = table }
  }

  /// What was found in the rows of a table.
  package struct Answer: Sendable {
    package let count: Int64
    /// How many have which whole number in the column that was counted; nil where one has something
    /// else there.
    package let numbers: [Int64: Int]?
    /// How many rows have a value in each column; a column is missing where a row has its default
    /// value.
    package let values: [String: Int64]
    /// Of each column of which all values could be read, the sum of a hash of each with its row's
    /// key; empty where sums were not asked for.
    package let sums: [String: UInt64]
    /// The sets, in the order in which they were asked for.
    package let sets: [Numbers]
  }

  /// The whole numbers that stand in a column.
  package struct Numbers: Sendable {
    fileprivate let words: [UInt64]
    /// Whether a row has NULL there.
    package let hasNulls: Bool
    /// Whether a row has something there that is neither NULL nor a number of the set.
    package let hasOthers: Bool

    /// Whether all numbers are in another set, which was asked for with the same limit.
    package func isContained(in other: Numbers) -> Bool {
      guard words.count == other.words.count else { return false }
      return zip(words, other.words).allSatisfy { $0 & ~$1 == 0 }
    }
  }
}

extension Connection {
  /// Reads rows of tables as they lie in the pages, without SQLite's help; nil where a page or a
  /// record is not as it should be, or a table is not an ordinary one.
  ///
  /// With a key there are sums of columns. Where those of two columns by the same key are the same,
  /// the columns are: the same rows have the same values, by class and bits. The key is to be a
  /// random one, so that no file can be made for it.
  package func scan(
    _ questions: [PageWalk.Question], in schema: String = "main", key: [UInt64] = []
  ) throws(SQLiteError) -> [PageWalk.Answer]? {
    // A snapshot has what is committed, and nothing else.
    guard transactionState(of: schema) != .write else { return nil }
    do {
      let snapshot = try Snapshot(self, schema)
      defer { try? snapshot.end() }
      var scan = TableScanning(key: key)
      let objects = try Schema(of: self, schema)
      for question in questions {
        guard try scan.add(question, objects, self) else { return nil }
      }
      let (pageSize, pageCount) = try snapshot.extent()
      guard try snapshot.hasRoom(for: pageCount, pageSize: pageSize) else { return nil }
      let reader = PageReader(snapshot, pageSize: pageSize, pageCount: pageCount)
      guard try scan.run(reader, pageSize, pageCount), try !snapshot.leaveRestartedLog() else {
        return nil
      }
      return scan.answers
    } catch {
      guard error.isInterrupted else { return nil }
      throw error
    }
  }
}

/// A walk over the trees of some tables, and over nothing else.
@safe private struct TableScanning {
  private var trees: [ph_tree] = unsafe []
  private var memory: [TableMemory] = []
  private let key: [UInt64]

  init(key: [UInt64]) { self.key = key }

  /// Adds a table; false where it cannot be read so.
  mutating func add(
    _ question: PageWalk.Question, _ schema: Schema, _ connection: Connection
  ) throws(SQLiteError) -> Bool {
    guard let table = schema.table(question.table), !table.isConstrained,
      let root = UInt32(exactly: table.rootPage)
    else { return false }
    let columns = try connection.columns(of: table, in: schema)
    guard columns.allSatisfy({ $0.kind == .normal }),
      let memory = TableMemory(question, columns)
    else { return false }
    self.memory.append(memory)
    var tree = unsafe memory.tree
    unsafe (tree.root, tree.is_table, tree.table) = (root, true, -1)
    unsafe tree.is_summed = key.count == 2
    unsafe trees.append(tree)
    return true
  }

  mutating func run(
    _ reader: PageReader, _ pageSize: Int, _ pageCount: Int
  ) throws(SQLiteError) -> Bool {
    var owners = Array(repeating: UInt16(0), count: pageCount + 1)
    var file = unsafe ph_file()
    unsafe (file.page_size, file.page_count) = (UInt32(pageSize), UInt32(clamping: pageCount))
    unsafe file.is_partial = true
    if key.count == 2 { unsafe file.key = (key[0], key[1]) }
    var isSound = Result<Bool, SQLiteError>.success(false)
    unsafe owners.withUnsafeMutableBufferPointer { owners in
      unsafe trees.withUnsafeMutableBufferPointer { trees in
        unsafe (file.trees, file.tree_count) = (trees.baseAddress, UInt32(trees.count))
        unsafe file.owners = owners.baseAddress
        isSound = withExtendedLifetime(memory) {
          Result { () throws(SQLiteError) in unsafe try reader.walk(&file) }
        }
      }
    }
    return try isSound.get()
  }

  var answers: [PageWalk.Answer] {
    unsafe zip(trees, memory).map { tree, memory in unsafe memory.answer(tree) }
  }
}

/// The memory for one table of a scan.
@safe private final class TableMemory {
  private let fields: UnsafeMutableBufferPointer<ph_field>
  private let sets: UnsafeMutableBufferPointer<ph_set>
  private let numbers: UnsafeMutableBufferPointer<ph_count>
  private let counted: Int?
  private let names: [String]
  private let alias: Int?

  /// The most numbers that a set is made for: eight megabytes.
  private static let most: Int64 = 1 << 26

  /// Memory for a question; nil where the table has no such columns, or a set would be too large.
  init?(_ question: PageWalk.Question, _ columns: [SchemaColumn]) {
    let names = columns.map(\.name)
    self.names = names
    let alias = columns.placeOfKey
    self.alias = alias
    func field(_ name: String) -> UInt16? {
      guard let place = names.firstIndex(where: { Text($0) == Text(name) }), place != alias else {
        return nil
      }
      return UInt16(exactly: place)
    }
    let places = question.sets.compactMap { $0.column.map(field) ?? UInt16(PH_ROWID) }
    guard places.count == question.sets.count,
      question.sets.allSatisfy({ 0...Self.most ~= $0.limit })
    else { return nil }
    if let name = question.counted {
      guard let place = field(name) else { return nil }
      counted = Int(place)
    } else {
      counted = nil
    }
    unsafe fields = .allocate(capacity: columns.count)
    unsafe fields.initialize(repeating: ph_field())
    unsafe numbers = .allocate(capacity: Int(PH_NUMBERS))
    unsafe numbers.initialize(repeating: ph_count())
    unsafe sets = .allocate(capacity: places.count)
    for (index, place) in places.enumerated() {
      let limit = question.sets[index].limit
      var set = unsafe ph_set()
      unsafe (set.field, set.limit) = (place, UInt64(limit))
      let words = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: Int(limit) / 64 + 1)
      unsafe words.initialize(repeating: 0)
      unsafe set.words = words.baseAddress
      unsafe sets.initializeElement(at: index, to: set)
    }
  }

  deinit {
    unsafe sets.forEach { set in unsafe set.words.deallocate() }
    unsafe fields.deallocate()
    unsafe sets.deallocate()
    unsafe numbers.deallocate()
  }

  /// What is asked, but for the place of the table.
  var tree: ph_tree {
    var tree = unsafe ph_tree()
    unsafe (tree.fields, tree.field_count) = (fields.baseAddress, UInt32(fields.count))
    unsafe (tree.sets, tree.set_count) = (sets.baseAddress, UInt32(sets.count))
    unsafe (tree.numbers, tree.counted) = (numbers.baseAddress, counted.map { Int32($0) } ?? -1)
    return unsafe tree
  }

  func answer(_ tree: ph_tree) -> PageWalk.Answer {
    var counts: [Int64: Int]?
    if counted != nil, unsafe tree.uncounted == 0 {
      let pairs = unsafe numbers[..<Int(tree.number_count)].map {
        ($0.number, Int(clamping: $0.rows))
      }
      counts = Dictionary(pairs) { first, _ in first }
    }
    let found = unsafe sets.map { set in
      PageWalk.Numbers(
        words: unsafe Array(UnsafeBufferPointer(start: set.words, count: Int(set.limit) / 64 + 1)),
        hasNulls: unsafe set.nulls > 0, hasOthers: unsafe set.has_others)
    }
    var values: [String: Int64] = [:]
    var sums: [String: UInt64] = [:]
    for (place, name) in names.enumerated() {
      let field = unsafe fields[place]
      guard field.classes & UInt8(PH_MISSING) == 0 else { continue }
      if place != alias { values[name] = Int64(clamping: field.values) }
      if unsafe tree.is_summed, !field.is_cut { sums[name] = field.sum }
    }
    return unsafe PageWalk.Answer(
      count: Int64(clamping: tree.count), numbers: counts, values: values, sums: sums,
      sets: found)
  }
}
