import LuaHost

/// What a call passes: values, and objects that answer for themselves.
package enum LuaArgument {
  case value(LuaValue)
  case record(any LuaRecord)
}

/// Values written in preorder in C's memory, alive as long as this is.
@safe final class ValueBuffer {
  private let nodes: UnsafeMutablePointer<lh_value>
  private let nodeCount: Int
  private let bytes: UnsafeMutablePointer<CChar>
  private let valueCount: Int
  private var nextNode = 0
  private var nextByte = 0
  // Kept so that records live as long as what points to them.
  private let records: [RecordBox]

  init(_ arguments: [LuaArgument]) {
    var size = (nodes: 0, bytes: 0)
    var boxes: [RecordBox] = []
    for argument in arguments {
      switch argument {
      case .value(let value): Self.measure(value, &size)
      case .record(let record):
        size.nodes += 1
        boxes.append(RecordBox(record))
      }
    }
    unsafe nodes = .allocate(capacity: max(1, size.nodes))
    unsafe bytes = .allocate(capacity: max(1, size.bytes))
    nodeCount = size.nodes
    valueCount = arguments.count
    records = boxes
    var nextRecord = boxes.makeIterator()
    for argument in arguments {
      if case .value(let value) = argument {
        write(value)
      } else if let box = nextRecord.next() {
        unsafe append(LH_RECORD, object: Unmanaged.passUnretained(box).toOpaque())
      }
    }
  }

  convenience init(values: [LuaValue]) { self.init(values.map(LuaArgument.value)) }

  deinit {
    unsafe nodes.deallocate()
    unsafe bytes.deallocate()
  }

  /// The values, for as long as this buffer is held.
  var values: lh_values { unsafe lh_values(nodes: nodes, count: nodeCount, values: valueCount) }

  private static func measure(_ value: LuaValue, _ size: inout (nodes: Int, bytes: Int)) {
    size.nodes += 1
    switch value {
    case .string(let bytes): size.bytes += bytes.count
    case .table(let table):
      for value in table.list {
        size.nodes += 1
        measure(value, &size)
      }
      for (key, value) in table.fields {
        if case .string(let name) = key { size.bytes += name.count }
        size.nodes += 1
        measure(value, &size)
      }
    case .null, .boolean, .integer, .real, .opaque: break
    }
  }

  private func write(_ value: LuaValue) {
    switch value {
    case .null: unsafe append(LH_NIL)
    case .boolean(let boolean): unsafe append(LH_BOOLEAN, integer: boolean ? 1 : 0)
    case .integer(let integer): unsafe append(LH_INTEGER, integer: integer)
    case .real(let real): unsafe append(LH_REAL, real: real)
    case .string(let bytes): appendString(bytes)
    case .opaque: unsafe append(LH_OTHER)
    case .table(let table):
      unsafe append(LH_TABLE, integer: Int64(table.list.count + table.fields.count))
      for (index, value) in table.list.enumerated() {
        unsafe append(LH_INTEGER, integer: Int64(index) + 1)
        write(value)
      }
      for (key, value) in table.fields {
        switch key {
        case .integer(let integer): unsafe append(LH_INTEGER, integer: integer)
        case .string(let name): appendString(name)
        }
        write(value)
      }
    }
  }

  private func appendString(_ string: [UInt8]) {
    let start = unsafe bytes + nextByte
    unsafe string.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: start, count: source.count)
        .copyMemory(from: source)
    }
    nextByte += string.count
    unsafe append(LH_STRING, bytes: start, length: string.count)
  }

  private func append(
    _ kind: lh_kind, integer: Int64 = 0, real: Double = 0, bytes: UnsafePointer<CChar>? = nil,
    length: Int = 0, object: UnsafeMutableRawPointer? = nil
  ) {
    unsafe (nodes + nextNode).initialize(
      to: lh_value(
        kind: kind, integer: integer, real: real, bytes: bytes, length: length, object: object))
    nextNode += 1
  }
}

extension lh_values {
  /// The values, copied out of C's memory.
  func copied() -> [LuaValue] {
    var next = 0
    let nodes = unsafe UnsafeBufferPointer(start: nodes, count: count)
    return unsafe (0..<values).map { _ in unsafe Self.read(nodes, &next) }
  }

  /// The bytes of the first value, where that is a string: borrowed, for the length of a call.
  var firstBytes: UnsafeRawBufferPointer? {
    guard unsafe count > 0, unsafe nodes[0].kind == LH_STRING else { return nil }
    return unsafe UnsafeRawBufferPointer(start: nodes[0].bytes, count: nodes[0].length)
  }

  /// What stands behind a string, which is one node.
  var afterFirst: lh_values {
    unsafe lh_values(nodes: nodes + 1, count: count - 1, values: values - 1)
  }

  private static func read(_ nodes: UnsafeBufferPointer<lh_value>, _ next: inout Int) -> LuaValue {
    guard next < nodes.count else { return .null }
    let node = unsafe nodes[next]
    next += 1
    switch unsafe node.kind {
    case LH_BOOLEAN: return unsafe .boolean(node.integer != 0)
    case LH_INTEGER: return unsafe .integer(node.integer)
    case LH_REAL: return unsafe .real(node.real)
    case LH_STRING:
      return unsafe .string(
        Array(UnsafeRawBufferPointer(start: node.bytes, count: node.length)))
    case LH_TABLE: return unsafe .table(readTable(nodes, Int(node.integer), &next))
    case LH_OTHER:
      let type = unsafe UnsafeRawBufferPointer(start: node.bytes, count: node.length)
      return unsafe .opaque(String(decoding: type, as: UTF8.self))
    default: return .null
    }
  }

  private static func readTable(
    _ nodes: UnsafeBufferPointer<lh_value>, _ pairs: Int, _ next: inout Int
  ) -> LuaTable {
    var table = LuaTable()
    for _ in 0..<pairs {
      let key = unsafe read(nodes, &next)
      let value = unsafe read(nodes, &next)
      switch key {
      case .integer(Int64(table.list.count) + 1): table.list.append(value)
      case .integer(let integer): table.fields[.integer(integer)] = value
      case .string(let bytes): table.fields[.string(bytes)] = value
      default: break
      }
    }
    table.gatherList()
    return table
  }
}
