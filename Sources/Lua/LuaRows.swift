import LuaHost

/// What the loop over rows asks while it runs: everything that it does not know by heart.
package protocol LuaRowAnswers: AnyObject {
  /// The value of a function's argument, where its column holds what the form does not explain.
  func read(argument: Int, of function: Int) throws -> LuaValue
  /// Binds a function's result, where it is not plainly of the form; nil where it returned none.
  ///
  /// A table comes without what is in it.
  func store(_ result: LuaValue?, of function: Int) throws
  /// Binds the value of a column that is changed on its way.
  func change(copy: Int) throws
  /// Calls a function that is given more than columns, and binds its result.
  func compute(function: Int) throws
  /// What the plain functions have returned elsewhere, for the row of a key and those after it.
  func results(from key: Int64) throws -> LuaRows.Results
  /// Takes the row that the target statement gives: it compares, and what it was given is not what
  /// is there.
  func differs() throws
}

/// Rows of one SQLite statement that go through functions of a script's into another statement.
///
/// The loop runs in C: one protected call for as many rows as the limits allow, without a copy of
/// any value but the texts that Lua is given.
@safe package final class LuaRows {
  /// How the values of an attribute lie in their column.
  package enum Form: Sendable {
    case integer16, integer32, integer64, boolean, real, float, date, decimal, text, uuid, bytes
    /// In a way that has to be asked for.
    case other
  }

  /// A column of the source that goes into a parameter of the target.
  package struct Copy: Sendable {
    package let column: Int
    package let parameter: Int
    /// Whether its value is changed on its way.
    package let isChanged: Bool

    package init(column: Int, parameter: Int, isChanged: Bool) {
      (self.column, self.parameter, self.isChanged) = (column, parameter, isChanged)
    }
  }

  /// A function whose results go into a parameter of the target.
  package struct Function {
    /// The function in Lua; nil for one that is given more than columns.
    package let reference: LuaReference?
    /// The columns that it is given.
    package let arguments: [(column: Int, form: Form)]
    /// Where its results go.
    package let parameter: Int
    package let form: Form
    /// Whether nil is a result like any other.
    package let isOptional: Bool

    package init(
      _ reference: LuaReference?, _ arguments: [(column: Int, form: Form)], parameter: Int,
      form: Form, isOptional: Bool
    ) {
      (self.reference, self.arguments) = (reference, arguments)
      (self.parameter, self.form, self.isOptional) = (parameter, form, isOptional)
    }
  }

  /// How much a loop does at most; the first row is always done.
  package struct Limits: Sendable {
    package let rows: Int
    /// The bytes of the values that go into the target, about.
    package let bytes: Int
    package let time: Duration

    package init(rows: Int, bytes: Int, time: Duration) {
      (self.rows, self.bytes, self.time) = (rows, bytes, time)
    }
  }

  /// What plain functions have returned elsewhere.
  package struct Results {
    /// For the rows that are in it; nil for none.
    package let made: LuaMadeRows?
    /// The last key for which there is nothing else.
    package let last: Int64

    package init(_ made: LuaMadeRows?, last: Int64) { (self.made, self.last) = (made, last) }
  }

  /// Why the loop came to an end that is no error of the script's.
  package enum End: Sendable {
    /// The source has no more rows.
    case done
    /// A limit is reached.
    case limit
    /// SQLite refused to read or to write.
    case sourceFailed, targetFailed
  }

  private let state: LuaState
  // Kept as long as the numbers by which C knows them.
  private let functions: [Function]
  private let lists: LuaRowLists
  private let rows: UnsafeMutablePointer<lh_rows>
  private let reply = Reply()
  // Kept as long as C reads from it.
  private var made: LuaMadeRows?
  private weak var answers: (any LuaRowAnswers)?
  private var refusal: (any Error)?

  /// A loop from one statement into another, each by the address of its handle.
  ///
  /// The statements must live as long as the loop is run. Column 0 of the source is the row's key.
  /// With a `look` of the functions before any of them ran, the loop asks for what they have
  /// returned elsewhere.
  package init(
    _ state: LuaState, from source: UInt, to target: UInt, copies: [Copy],
    functions: [Function], _ limits: Limits, look: UInt64? = nil
  ) {
    (self.state, self.functions) = (state, functions)
    lists = LuaRowLists(copies, functions)
    unsafe rows = .allocate(capacity: 1)
    unsafe rows.initialize(to: lh_rows())
    unsafe rows.pointee.source = OpaquePointer(bitPattern: source)
    unsafe rows.pointee.target = OpaquePointer(bitPattern: target)
    unsafe lists.fill(&rows.pointee)
    unsafe rows.pointee.function = -1
    unsafe rows.pointee.uses_results = look == nil ? 0 : 1
    unsafe rows.pointee.look = look ?? 0
    unsafe rows.pointee.results.last = .min
    // What the script did before the first row is not known.
    unsafe rows.pointee.has_run = 1
    unsafe rows.pointee.most_rows = Int64(limits.rows)
    unsafe rows.pointee.most_bytes = Int64(limits.bytes)
    unsafe rows.pointee.nanoseconds = LuaLimits(time: limits.time).nanoseconds
  }

  deinit {
    unsafe rows.deinitialize(count: 1)
    unsafe rows.deallocate()
  }

  /// How many rows were read, and how many of them were made.
  package var counts: (rows: Int, made: Int) {
    unsafe (Int(rows.pointee.rows), Int(rows.pointee.made))
  }

  /// Whether the loop takes what functions have returned elsewhere: it does no more when one of
  /// them has kept something for the next row.
  package var usesResults: Bool { unsafe rows.pointee.uses_results != 0 }

  /// The rows for which functions had returned something elsewhere.
  package var taken: Int { unsafe Int(rows.pointee.taken) }

  /// The key of the last row that was read.
  package var key: Int64 { unsafe rows.pointee.key }

  /// The function that is at work, or has failed; nil while the row itself is made.
  package var function: Int? {
    let function = unsafe Int(rows.pointee.function)
    return function < 0 ? nil : function
  }

  /// Continues with the next row; after an error, too.
  package func run(asking answers: any LuaRowAnswers) throws -> End {
    self.answers = answers
    refusal = nil
    unsafe rows.pointee.answers = Self.questions(Unmanaged.passUnretained(self).toOpaque())
    let status = unsafe lh_run_rows(state.host, rows)
    try state.check(status)
    if let refusal { throw refusal }
    switch unsafe rows.pointee.end {
    case LH_ROWS_DONE: return .done
    case LH_ROWS_LIMIT: return .limit
    case LH_ROWS_SOURCE_FAILED: return .sourceFailed
    default: return .targetFailed
    }
  }
}

// What C calls.
extension LuaRows {
  private static func questions(_ context: UnsafeMutableRawPointer) -> lh_row_answers {
    unsafe lh_row_answers(
      context: context,
      read: { context, function, argument, reply in
        unsafe LuaRows.ask(context) { loop, answers in
          let value = try answers.read(argument: Int(argument), of: Int(function))
          guard let reply = unsafe reply else { return }
          unsafe loop.reply.fill(reply) { [value] }
        }
      },
      store: { context, function, result in
        unsafe LuaRows.ask(context) { _, answers in
          try answers.store(unsafe result.copied().first, of: Int(function))
        }
      },
      change: { context, copy in
        unsafe LuaRows.ask(context) { _, answers in try answers.change(copy: Int(copy)) }
      },
      compute: { context, function in
        unsafe LuaRows.ask(context) { _, answers in try answers.compute(function: Int(function)) }
      },
      ahead: { context, key, results in
        unsafe LuaRows.ask(context) { loop, answers in
          let found = try answers.results(from: key)
          loop.made = found.made
          let made = unsafe found.made?.rows ?? lh_made()
          unsafe results?.pointee = lh_results(
            bytes: made.bytes, length: made.length, last: found.last)
        }
      },
      differs: { context in
        unsafe LuaRows.ask(context) { _, answers in try answers.differs() }
      })
  }

  /// Keeps an error for when C has ended the loop: it cannot cross C.
  private static func ask(
    _ context: UnsafeMutableRawPointer?,
    _ question: (LuaRows, any LuaRowAnswers) throws -> Void
  ) -> Int32 {
    guard let context = unsafe context else { return 1 }
    let loop = unsafe Unmanaged<LuaRows>.fromOpaque(context).takeUnretainedValue()
    guard let answers = loop.answers else { return 1 }
    do {
      try question(loop, answers)
      return 0
    } catch {
      loop.refusal = error
      return 1
    }
  }
}
