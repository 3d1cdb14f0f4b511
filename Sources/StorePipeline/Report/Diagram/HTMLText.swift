extension String {
  /// The text as HTML shows it, in an element or between double quotes in an attribute.
  var html: String {
    var text = ""
    for character in printable {
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.append(character)
      }
    }
    return text
  }
}
