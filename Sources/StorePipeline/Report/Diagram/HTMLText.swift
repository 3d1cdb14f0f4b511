internal import Formats

extension String {
  /// The text as HTML shows it, in an element or between double quotes in an attribute.
  var html: String {
    printable.spelling { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default: nil
      }
    }
  }
}
