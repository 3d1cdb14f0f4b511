import Lua

/// What a script is going to do, found by loading it without a store.
package struct ScriptOutline: Sendable, Hashable {
  /// The script's file, as mistakes name it.
  package let path: String
  /// The entities whose objects its `create` makes, as it declares them.
  package let creates: [String]
  /// Where values come from, by the attribute's name in the target.
  package let attributes: [String: ScriptAttribute]
  /// The moments it takes part at.
  package let hooks: Set<ScriptHook>
  /// The names that it mentions as fields, `item.image`, or as texts: what it may read.
  package let mentions: Set<String>
  /// These, and the names of what it gives a value: `{ code = 1 }`.
  package let gives: Set<String>
  /// The names that it assigns to, or writes as texts.
  package let assigns: Set<String>
  /// Where it makes objects, `new.Item`, in the order of the text.
  package let constructions: [Construction]
  /// Whether it may give values to others, too: it computes their names.
  package let computesNames: Bool
  /// The lines on which words and attributes are written: `create`, `attributes.total`.
  package let lines: [String: Int]
  /// The mistakes that can be seen without a store, by line.
  package let problems: [Problem]
  /// What is most likely a mistake, by line: a function of an attribute that returns nothing.
  package let warnings: [Problem]
  /// The SHA-256 of the script and of everything it requires, in hexadecimal digits.
  package let digest: String

  /// Loads a script in the sandbox and looks at what it returns.
  ///
  /// - Parameters:
  ///   - path: The Lua file.
  ///   - params: What the script finds as `params`.
  /// - Returns: The outline, with every mistake in ``problems``.
  /// - Throws: A ``Problem`` when the file cannot be read.
  package static func load(
    path: String, params: [String: OptionValue] = [:]
  ) throws -> ScriptOutline {
    let file = try ScriptFile(path: path)
    return try ScriptThread.run { outline(of: file, params) }
  }

  private static func outline(
    of file: ScriptFile, _ params: [String: OptionValue]
  ) -> ScriptOutline {
    var reader = ScriptOutlineReader(file)
    var digest = ""
    do {
      let world = try LoadedScript(file, params: params, limits: limits)
      digest = world.digest
      let texts = world.state.sources.filter { ScriptFile.isTheirs($0.name) }
      try reader.read(world.result, texts)
      reader.problems += world.unknownNames()
    } catch let error as LuaError {
      reader.problems.append(file.problem(error))
    } catch {
      reader.problems.append(Problem(file: file.path, line: 0, message: "\(error)"))
    }
    return ScriptOutline(
      path: file.path, creates: reader.creates, attributes: reader.attributes,
      hooks: reader.hooks, mentions: reader.mentions.union(params.values.flatMap(\.texts)),
      gives: reader.gives.union(params.values.flatMap(\.texts)),
      assigns: reader.assigns.union(params.values.flatMap(\.texts)),
      constructions: reader.constructions, computesNames: reader.computesNames,
      lines: reader.lines,
      problems: reader.problems.sorted { $0.line < $1.line },
      warnings: reader.warnings.sorted { $0.line < $1.line }, digest: digest)
  }

  /// What loading never needs more of.
  private static let limits = LuaLimits(
    memory: 64 << 20, time: .seconds(5), instructions: 20_000_000)
}

extension ScriptOutline {
  /// A place at which objects are made.
  package struct Construction: Sendable, Hashable {
    /// What an object has from the beginning: what is written there, what the mapping alone gives
    /// it, or what only shows once the script runs.
    package enum Content: Sendable { case written, mapped, unknown }

    /// The entity; "" for the one that the mapping has.
    package let entity: String
    package let content: Content
    /// Whether the text says `new.Item`, and not `maker.Item`.
    package let isOfNew: Bool
    /// The script's file, or one that it requires.
    package let file: String
    package let line: Int
  }

  /// The parameter of an attribute's function that gives it the context of the run.
  package static let contextParameter = "ctx"

  /// The attributes of the target whose values functions make.
  package var computed: Set<String> {
    Set(attributes.filter { if case .function = $0.value { true } else { false } }.keys)
  }

  /// The properties of the source that functions of attributes name.
  package var reads: Set<String> {
    let names = attributes.values.flatMap { attribute in
      if case .function(let parameters) = attribute { parameters } else { [String]() }
    }
    return Set(names).subtracting([Self.contextParameter])
  }

  /// Whether it makes whole objects itself.
  package var makesObjects: Bool { hooks.contains(.create) }

  /// Whether any of it has to run as Lua.
  package var needsLua: Bool { !hooks.isEmpty || !computed.isEmpty }
}

extension OptionValue {
  /// The texts in it: a param may name what a script reads.
  fileprivate var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .list(let items): items.flatMap(\.texts)
    case .table(let fields): fields.values.flatMap(\.texts)
    default: []
    }
  }
}
