/// What a script decides about the object it was given, or about the run.
///
/// It holds even when the script catches the error by which its call ends.
enum ScriptDecision: Error, Equatable {
  /// The object is left out.
  case skip(String)
  /// The object is rejected.
  case reject(String)
  /// The run ends.
  case fail(String)

  init?(_ word: String, _ reason: String) {
    switch word {
    case "skip": self = .skip(reason)
    case "reject": self = .reject(reason)
    case "fail": self = .fail(reason)
    default: return nil
    }
  }

  /// Why.
  var reason: String {
    switch self {
    case .skip(let reason), .reject(let reason), .fail(let reason): reason
    }
  }
}
