/// What a pipeline file says before it is checked, and where it says it.
struct PipelineSource: Sendable {
  /// The file, as mistakes name it.
  let file: String
  /// The folder that its paths are relative to.
  var folder: String
  /// The words that stand in no other word's table, in order.
  var constructs: [RawConstruct] = []
  var parameters: [PipelineParameter] = []
  /// What the scripts were when a plan was made, where the text is one.
  var scriptDigests: [String: String] = [:]
  /// The text's words, where it is Lua.
  var tokens: LuaTokens?
  /// The mistakes that reading it has shown.
  var problems: [Problem] = []

  func problem(_ line: Int, _ message: String) -> Problem {
    Problem(file: file, line: line, message: message)
  }

  /// The line of an option of a construct, or of a field inside it.
  func line(of path: [String], in construct: RawConstruct) -> Int {
    if let name = path.first, let line = construct.lines[name] { return line }
    return tokens?.line(of: path, in: construct.kind, at: construct.line) ?? construct.line
  }

  /// The lines of the texts in the list of a construct; none where they are not known.
  func itemLines(in construct: RawConstruct) -> [Int] {
    tokens?.itemLines(in: construct.kind, at: construct.line) ?? []
  }
}
