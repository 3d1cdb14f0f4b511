import CoreDataStore
import Lua

/// The loop over the rows of an entity whose script computes attributes and makes no objects: it
/// runs in C, and what it does not know by heart it asks here.
final class ScriptLoop: LuaRowAnswers {
  /// Where the rows come from and go to.
  let rows: ScriptedRows

  private let driver: ScriptDriver
  private let stores: CopyStores
  private let loop: LuaRows
  /// The object that the script's functions of more than columns have been told of.
  private var told: ObjectID?

  /// A loop; nil where each object has to be made by itself.
  init?(
    _ copy: ScriptedCopy, _ driver: ScriptDriver, _ stores: CopyStores, reads: Set<String>
  ) throws {
    let computed = driver.attributes.map(\.name)
    guard let rows = try ScriptedRows(copy, computed: computed, reads: reads) else { return nil }
    (self.rows, self.driver, self.stores) = (rows, driver, stores)
    let functions = driver.attributes.compactMap { Self.function($0, rows, stores, copy.entity) }
    guard functions.count == computed.count else { return nil }
    let (source, target) = rows.addresses
    loop = LuaRows(
      driver.world.state, from: source, to: target,
      copies: rows.copies.map {
        .init(column: $0.column, parameter: $0.parameter, isChanged: $0.isChanged)
      }, functions: functions)
  }

  private static func function(
    _ function: ScriptDriver.AttributeFunction, _ rows: ScriptedRows, _ stores: CopyStores,
    _ entity: String
  ) -> LuaRows.Function? {
    guard let parameter = rows.parameter(of: function.name) else { return nil }
    let model = stores.model(of: .source)
    let arguments = function.parameters.compactMap { name -> (column: Int, form: LuaRows.Form)? in
      guard let source = model.entity(named: entity), let column = rows.column(of: name),
        let attribute = model.attribute(named: name, of: source)?.attribute
      else { return nil }
      return (column, LuaRows.Form(of: attribute))
    }
    let isPlain = function.isPlain && arguments.count == function.parameters.count
    return .init(
      isPlain ? function.function : nil, isPlain ? arguments : [], parameter: parameter,
      form: LuaRows.Form(of: function.attribute), isOptional: function.attribute.isOptional)
  }

  /// Sets what may be done until the next chunk.
  func begin(_ limits: ChunkLimits) {
    told = nil
    loop.begin(.init(rows: limits.rows, bytes: limits.bytes, time: limits.time))
  }

  /// Goes on with the next row; after a failure, too.
  ///
  /// - Throws: What the script or the store has against the row in hand.
  func run() throws -> LuaRows.End {
    let end = try loop.run(asking: self)
    if end == .targetFailed { throw rows.targetError(key) }
    return end
  }

  /// The rows that were taken up, and those of them that were made.
  var counts: (rows: Int, made: Int) { loop.counts }
  /// The key of the last row.
  var key: Int64 { loop.key }
  /// The function that is at work, or has failed.
  var function: ScriptDriver.AttributeFunction? { loop.function.map { driver.attributes[$0] } }

  /// Takes the object in hand, so that its values can be read.
  func hold() -> ObjectID {
    let object = rows.object(key)
    stores.current = object
    return object.id
  }

  func read(argument: Int, of function: Int) throws -> LuaValue {
    let parameter = driver.attributes[function].parameters[argument]
    return try driver.host.objects.read(parameter, of: ScriptObject(.source, hold())).value
  }

  func store(_ result: LuaValue, of function: Int) throws {
    let function = driver.attributes[function]
    try bind(try driver.store(result, of: function), to: function)
  }

  func change(copy: Int) throws { try rows.change(copy, key: key) }

  func compute(function: Int) throws {
    let function = driver.attributes[function]
    let source = hold()
    if told != source {
      told = source
      driver.host.begin(.init(id: source, row: 0), name: source.entity)
      try driver.begin()
    }
    let value = try driver.value(of: function, for: source)
    if let decision = driver.host.decision { throw decision }
    try bind(value, to: function)
  }

  private func bind(
    _ value: AttributeValue, to function: ScriptDriver.AttributeFunction
  ) throws {
    guard try rows.bind(value, to: function.name) else {
      throw ScriptValue.Misfit("its type has no such value")
    }
  }
}

extension LuaRows.Form {
  /// How the values of an attribute lie in their column.
  init(of attribute: Attribute) {
    switch attribute.type {
    case .integer16: self = .integer16
    case .integer32: self = .integer32
    case .integer64: self = .integer64
    case .boolean: self = .boolean
    case .double, .date: self = .real
    case .float: self = .float
    case .decimal: self = .decimal
    case .string, .uri: self = .text
    case .uuid: self = .uuid
    case .binary, .transformable: self = attribute.usesExternalStorage ? .other : .bytes
    case .undefined, .objectID, .composite, .unknown: self = .other
    }
  }
}
