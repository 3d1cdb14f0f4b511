internal import PageHost

extension PageWalk {
  /// A walk over the trees of a database.
  struct TreeWalk {
    private(set) var trees: [WalkedTree]
    /// The owner of each page, by its number: the place of its tree, plus one.
    private(set) var owners: [UInt16]
    let pageSize: Int
    private(set) var key: [UInt64]

    /// A walk over all trees of a list.
    init(_ list: TreeList, pageSize: Int, pageCount: Int) {
      (trees, self.pageSize) = (list.trees, pageSize)
      owners = Array(repeating: 0, count: pageCount + 1)
      key = [.random(in: .min ... .max), .random(in: .min ... .max)]
    }

    /// Takes over what an earlier walk has found in trees of which no page was written since.
    ///
    /// `written` are those pages. A tree is the same when its first page is the same.
    mutating func take(over earlier: PageWalk, written: some Sequence<UInt32>) {
      guard earlier.pageSize == pageSize else { return }
      var isWritten = Array(repeating: false, count: earlier.trees.count + 1)
      // Pages behind the end are none of its trees' any more.
      let cut = earlier.owners.indices.dropFirst(owners.count)
      for page in written.lazy.map({ Int($0) }).filter({ $0 < earlier.owners.count }) + cut {
        let owner = Int(earlier.owners[page])
        if owner < isWritten.count { isWritten[owner] = true }
      }
      let places = Dictionary(earlier.trees.enumerated().map { ($1.root, $0) }) { first, _ in first
      }
      var owner = Array(repeating: UInt16(0), count: isWritten.count)
      for place in trees.indices {
        guard let before = places[trees[place].root], !isWritten[before + 1],
          trees[place].take(over: earlier.trees[before])
        else { continue }
        owner[before + 1] = UInt16(place + 1)
      }
      key = earlier.key
      for (page, before) in zip(owners.indices, earlier.owners) where before < owner.count {
        owners[page] = owner[Int(before)]
      }
      for (place, tree) in trees.enumerated() {
        guard let table = tree.table, trees[table].isKnown, let before = places[tree.root] else {
          continue
        }
        let index = earlier.trees[before]
        let isSame = index.table.map { earlier.trees[$0].root } == trees[table].root
        trees[place].expected = isSame && index.keys == tree.keys ? index.expected : nil
      }
    }

    /// Whether an index holds what its table holds.
    func isRight(_ index: WalkedTree) -> Bool {
      guard let table = index.table else { return false }
      return index.isOrdered && index.expected == index.sum && index.count == trees[table].count
    }

    /// Reads all trees; false where they are not proved sound.
    mutating func run(_ reader: PageReader) throws(SQLiteError) -> Bool {
      let memory = WalkMemory(trees)
      var isSound = Result<Bool, SQLiteError>.success(false)
      var raw = unsafe trees.indices.map { unsafe memory.tree($0, trees[$0]) }
      unsafe owners.withUnsafeMutableBufferPointer { owners in
        unsafe raw.withUnsafeMutableBufferPointer { raw in
          var file = unsafe ph_file()
          unsafe file.expected = unsafe memory.expected.baseAddress
          unsafe (file.page_size, file.page_count) = (
            UInt32(pageSize), UInt32(clamping: owners.count - 1)
          )
          unsafe file.key = (key[0], key[1])
          unsafe (file.trees, file.tree_count) = (raw.baseAddress, UInt32(raw.count))
          unsafe file.owners = owners.baseAddress
          isSound = Result { () throws(SQLiteError) in unsafe try reader.walk(&file) }
        }
      }
      guard try isSound.get() else { return false }
      for place in trees.indices where !trees[place].isKnown {
        guard unsafe memory.take(raw[place], place, &trees[place]) else { return false }
      }
      // A table that is read says what is expected of all of its indexes.
      for (place, tree) in trees.enumerated() {
        guard let table = tree.table, !trees[table].isKnown else { continue }
        let sum = unsafe memory.expected[place]
        trees[place].expected = sum.is_known ? sum.value : nil
      }
      return true
    }
  }
}

/// The memory that a walk reads from and writes into, besides the trees themselves.
@safe private final class WalkMemory {
  private let fields: UnsafeMutableBufferPointer<ph_field>
  private let keys: UnsafeMutableBufferPointer<UInt16>
  private let numbers: UnsafeMutableBufferPointer<ph_count>
  /// What the rows call for, a sum for each tree that is an index.
  let expected: UnsafeMutableBufferPointer<ph_sum>
  /// Where those of each tree begin.
  private var places: [(fields: Int, keys: Int, numbers: Int)] = []

  /// How many fields are left free behind those of a tree.
  ///
  /// Two threads that read tables next to each other write no line of memory both: it has 128 bytes
  /// at most, and a field 24.
  private static let gap = 6

  init(_ trees: [WalkedTree]) {
    var next = (fields: 0, keys: 0, numbers: 0)
    for tree in trees {
      places.append(next)
      next.fields += tree.columns.count + Self.gap
      next.keys += tree.keys.count
      next.numbers += tree.counted == nil ? 0 : Int(PH_NUMBERS)
    }
    unsafe fields = .allocate(capacity: next.fields)
    unsafe keys = .allocate(capacity: next.keys)
    unsafe numbers = .allocate(capacity: next.numbers)
    unsafe expected = .allocate(capacity: trees.count)
    unsafe fields.initialize(repeating: ph_field())
    unsafe numbers.initialize(repeating: ph_count())
    unsafe expected.initialize(repeating: ph_sum())
    _ = unsafe keys.initialize(from: trees.flatMap(\.keys))
  }

  deinit {
    unsafe fields.deallocate()
    unsafe keys.deallocate()
    unsafe numbers.deallocate()
    unsafe expected.deallocate()
  }

  /// A tree with what is asked of it, and its part of the memory.
  func tree(_ place: Int, _ tree: WalkedTree) -> ph_tree {
    let start = places[place]
    var raw = unsafe ph_tree()
    unsafe (raw.root, raw.is_table, raw.is_known) = (tree.root, tree.isTable, tree.isKnown)
    unsafe raw.map_sum = tree.mapSum
    if !tree.columns.isEmpty {
      unsafe raw.fields = unsafe fields.baseAddress.map { unsafe $0 + start.fields }
    }
    unsafe raw.field_count = UInt32(tree.columns.count)
    unsafe raw.counted = tree.counted.map { Int32($0) } ?? -1
    unsafe raw.numbers = unsafe numbers.baseAddress.map { unsafe $0 + start.numbers }
    unsafe raw.table = tree.table.map { Int32($0) } ?? -1
    unsafe raw.keys = unsafe UnsafePointer(keys.baseAddress.map { unsafe $0 + start.keys })
    unsafe raw.key_count = UInt32(tree.keys.count)
    unsafe (raw.descending, raw.is_unique) = (tree.descending, tree.isUnique)
    return unsafe raw
  }

  /// Takes over what was found in a tree; false where a column has what it may not have.
  func take(_ raw: ph_tree, _ place: Int, _ tree: inout WalkedTree) -> Bool {
    unsafe (tree.pages, tree.count, tree.sum) = (raw.pages, raw.count, raw.sum)
    unsafe tree.mapSum = raw.map_sum
    unsafe tree.isOrdered = raw.is_read && raw.is_ordered
    guard !tree.columns.isEmpty else { return true }
    let start = places[place]
    var found: [Text: WalkedRows.Column] = [:]
    for (offset, name) in tree.columns.enumerated() where offset != tree.alias {
      let field = unsafe fields[start.fields + offset]
      guard field.classes & tree.forbidden[offset] == 0 else { return false }
      guard field.classes & UInt8(PH_MISSING) == 0 else { continue }
      found[Text(name)] = WalkedRows.Column(
        classes: field.classes, values: Int(clamping: field.values))
    }
    var numbers: [Int64: Int]?
    if tree.counted != nil, unsafe raw.uncounted == 0 {
      let counts = unsafe self.numbers[start.numbers..<start.numbers + Int(raw.number_count)]
      let pairs = unsafe counts.map { ($0.number, Int(clamping: $0.rows)) }
      numbers = Dictionary(pairs) { first, _ in first }
    }
    tree.rows = WalkedRows(count: Int(clamping: tree.count), numbers: numbers, columns: found)
    return true
  }
}
