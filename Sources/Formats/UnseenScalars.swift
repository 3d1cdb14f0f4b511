extension Unicode.Scalar {
  /// Whether showing it does something else than drawing it: it drives a terminal, breaks a line,
  /// turns the order of the text next to it, or draws nothing.
  ///
  /// Control characters, both separators, and what "should be ignored in rendering" (UAX #44,
  /// Default_Ignorable_Code_Point): bidi controls, zero-width and tag characters. Variation
  /// selectors stay, as they only choose how the character before them looks.
  package var isUnseen: Bool {
    guard value > 0x7e else { return value < 0x20 }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    default: return properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
    }
  }
}

extension StringProtocol {
  /// The text with some of its scalars spelled in another way; nil leaves one as it is.
  ///
  /// `replacing` looks for whole characters, and a quote with an accent on it is another character:
  /// what must not end a string of SQL, HTML or a shell is looked for here.
  package func spelling(_ spelled: (Unicode.Scalar) -> String?) -> String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let other = spelled(scalar) {
        text.append(contentsOf: other.unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }

  /// The text with every such scalar doubled.
  package func doubling(_ quote: Unicode.Scalar) -> String {
    spelling { $0 == quote ? "\(quote)\(quote)" : nil }
  }
}
