import CoreDataStore
import Lua
internal import StoreMigration

/// What a script computes of an entity's rows, when it computes attributes and makes no objects.
struct ScriptLoopPlan {
  /// Which column goes where.
  let rows: ComputedRows
  /// The functions, in the order of the driver's.
  let functions: [LuaRows.Function]

  /// The plan; nil where each object has to be made by itself.
  init?(
    _ entity: String, _ builder: StoreBuilder, _ driver: ScriptCaller, reads: Set<String>
  ) throws {
    let computed = driver.attributes.map(\.name)
    guard
      let rows = try ComputedRows(
        of: entity, builder, narrowing: builder.narrowing(entity, key: "s.Z_PK"),
        computed: computed, reads: reads, areCompared: builder.isComparing)
    else { return nil }
    let model = builder.sourceSchema.model
    functions = driver.attributes.compactMap { Self.function($0, rows, model) }
    guard functions.count == computed.count else { return nil }
    self.rows = rows
  }

  private static func function(
    _ function: ScriptCaller.AttributeFunction, _ rows: ComputedRows, _ model: Model
  ) -> LuaRows.Function? {
    guard let parameter = rows.parameter(of: function.name) else { return nil }
    let arguments = function.parameters.compactMap { name -> (column: Int, form: LuaRows.Form)? in
      guard let entity = model.entity(named: rows.entity), let column = rows.column(of: name),
        let attribute = model.attribute(named: name, of: entity)?.attribute
      else { return nil }
      return (column, LuaRows.Form(of: attribute))
    }
    let isPlain = function.isPlain && arguments.count == function.parameters.count
    return .init(
      isPlain ? function.function : nil, isPlain ? arguments : [], parameter: parameter,
      form: LuaRows.Form(of: function.attribute), isOptional: function.attribute.isOptional)
  }
}

/// The loop over the rows of one chunk: it runs in C, and what it does not know by heart it asks
/// here.
final class ScriptLoop: LuaRowAnswers {
  private let pass: ComputedRowPass
  private let driver: ScriptCaller
  private let stores: CopyStores
  private let loop: LuaRows
  private let workers: AttributeWorkers?
  /// The object that the script's functions of more than columns know as the current one.
  private var begun: ObjectID?

  /// A loop over the rows of a pass.
  init(
    _ plan: ScriptLoopPlan, _ pass: ComputedRowPass, _ limits: ChunkLimits,
    _ driver: ScriptCaller, _ stores: CopyStores, _ workers: AttributeWorkers?
  ) {
    (self.pass, self.driver, self.stores) = (pass, driver, stores)
    self.workers = workers
    let (source, target) = pass.addresses
    let copies = plan.rows.copies.map {
      LuaRows.Copy(column: $0.column, parameter: $0.parameter, isChanged: $0.isChanged)
    }
    loop = LuaRows(
      driver.world.state, from: source, to: target, copies: copies, functions: plan.functions,
      .init(rows: limits.rows, bytes: limits.bytes, time: limits.time), look: workers?.look)
  }

  /// Continues with the next row; after a failure, too.
  ///
  /// - Throws: What the script or the store has against the current row.
  func run() throws -> LuaRows.End {
    defer { if !loop.usesResults { workers?.stop() } }
    let end = try loop.run(asking: self)
    if end == .targetFailed { throw pass.targetError(key) }
    return end
  }

  /// How many rows were read, and how many of them were made.
  var counts: (rows: Int, made: Int) { loop.counts }
  /// The rows for which workers had called the functions.
  var taken: Int { loop.taken }
  /// The key of the last row.
  var key: Int64 { loop.key }
  /// The function that is at work, or has failed.
  var function: ScriptCaller.AttributeFunction? { loop.function.map { driver.attributes[$0] } }

  /// Makes the row's object the current one, so that its values can be read.
  func hold() -> ObjectID {
    let object = pass.object(key)
    stores.current = object
    return object.id
  }

  func read(argument: Int, of function: Int) throws -> LuaValue {
    let parameter = driver.attributes[function].parameters[argument]
    return try driver.host.objects.read(parameter, of: ScriptObject(.source, hold())).value
  }

  func store(_ result: LuaValue?, of function: Int) throws {
    let function = driver.attributes[function]
    try bind(try driver.store(result, of: function), to: function)
  }

  func change(copy: Int) throws { try pass.change(copy, key: key) }

  func differs() throws { try pass.takeDifference() }

  func results(from key: Int64) throws -> LuaRows.Results {
    workers?.results(from: key) ?? .init(nil, last: .max)
  }

  func compute(function: Int) throws {
    let function = driver.attributes[function]
    let source = hold()
    if begun != source {
      begun = source
      driver.host.begin(.init(id: source, row: 0), name: source.entity)
      try driver.begin()
    }
    let value = try driver.value(of: function, for: source)
    if let decision = driver.host.decision { throw decision }
    try bind(value, to: function)
  }

  private func bind(
    _ value: AttributeValue, to function: ScriptCaller.AttributeFunction
  ) throws {
    guard try pass.bind(value, to: function.name) else {
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
    case .double: self = .real
    case .float: self = .float
    case .date: self = .date
    case .decimal: self = .decimal
    case .string, .uri: self = .text
    case .uuid: self = .uuid
    case .binary, .transformable, .codable: self = attribute.usesExternalStorage ? .other : .bytes
    case .undefined, .objectID, .composite, .unknown: self = .other
    }
  }
}
