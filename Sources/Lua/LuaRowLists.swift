import LuaHost

/// The lists of a loop in C's memory.
@safe final class LuaRowLists {
  private let copies: UnsafeMutableBufferPointer<lh_copy>
  private let functions: UnsafeMutableBufferPointer<lh_function>
  private let arguments: UnsafeMutableBufferPointer<lh_argument>

  init(_ copies: [LuaRows.Copy], _ functions: [LuaRows.Function]) {
    unsafe self.copies = Self.list(
      copies.map {
        lh_copy(
          column: Int32($0.column), target: Int32($0.parameter), is_changed: $0.isChanged ? 1 : 0)
      })
    unsafe arguments = Self.list(
      functions.flatMap(\.arguments).map {
        lh_argument(column: Int32($0.column), form: $0.form.code)
      })
    var first: Int32 = 0
    unsafe self.functions = Self.list(
      functions.map { function in
        defer { first += Int32(function.arguments.count) }
        return lh_function(
          reference: function.reference?.reference ?? 0,
          is_plain: function.reference == nil ? 0 : 1, first: first,
          count: Int32(function.arguments.count), target: Int32(function.parameter),
          is_optional: function.isOptional ? 1 : 0, form: function.form.code)
      })
  }

  deinit {
    unsafe copies.deallocate()
    unsafe functions.deallocate()
    unsafe arguments.deallocate()
  }

  /// Lets a loop have them, as long as these lists live.
  func fill(_ rows: inout lh_rows) {
    unsafe rows.copies = UnsafePointer(copies.baseAddress)
    unsafe rows.copy_count = Int32(copies.count)
    unsafe rows.functions = UnsafePointer(functions.baseAddress)
    unsafe rows.function_count = Int32(functions.count)
    unsafe rows.arguments = UnsafePointer(arguments.baseAddress)
  }

  /// Lets a loop that works ahead have them.
  func fill(_ ahead: inout lh_ahead) {
    unsafe ahead.functions = UnsafePointer(functions.baseAddress)
    unsafe ahead.function_count = Int32(functions.count)
    unsafe ahead.arguments = UnsafePointer(arguments.baseAddress)
  }

  /// What functions can reach, as a number; nil when there is too much of it.
  func look(in state: LuaState) throws(LuaError) -> UInt64? {
    var look: UInt64 = 0
    let count = unsafe Int32(functions.count)
    try state.check(unsafe lh_look(state.host, functions.baseAddress, count, &look))
    return look == 0 ? nil : look
  }

  private static func list<Element>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
    let list = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = unsafe list.initialize(from: elements)
    return unsafe list
  }
}

extension LuaRows.Form {
  fileprivate var code: lh_form {
    switch self {
    case .integer16: LH_FORM_INTEGER16
    case .integer32: LH_FORM_INTEGER32
    case .integer64: LH_FORM_INTEGER64
    case .boolean: LH_FORM_BOOLEAN
    case .real: LH_FORM_REAL
    case .float: LH_FORM_FLOAT
    case .date: LH_FORM_DATE
    case .decimal: LH_FORM_DECIMAL
    case .text: LH_FORM_TEXT
    case .uuid: LH_FORM_UUID
    case .bytes: LH_FORM_BYTES
    case .other: LH_FORM_OTHER
    }
  }
}
