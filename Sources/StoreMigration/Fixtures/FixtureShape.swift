internal import Foundation

extension StoreFixture.Scrubber {
  /// The shape of a text: which kind of character stands where, to be filled with drawn ones.
  enum Shape {
    /// A text of this shape.
    ///
    /// Addresses of the web and of mail end in "invalid", which "is guaranteed never to be
    /// installed as a top-level domain" (RFC 2606), so that no test reaches a stranger. What reads
    /// as a date stays one.
    static func filled(
      _ text: String, isAddress: Bool, _ random: inout SampleRandom
    ) -> String {
      let text = String(text.unicodeScalars.prefix(StoreFixture.Scrubber.longest))
      if text.utf8.count <= longestForm {
        if let address = address(text, isAddress: isAddress, &random) { return address }
        if let mail = text.wholeMatch(of: /([^\s@:\/]+)@([^\s@\/]+)\.[A-Za-z]{2,}/) {
          let (name, host) = (plain(mail.1, &random), plain(mail.2, &random))
          return "\(name)@\(host).invalid"
        }
        if let moment = moment(text, &random) { return moment }
      }
      let made = plain(text, &random)
      guard text.unicodeScalars.allSatisfy({ !isReplaced($0) }) else { return made }
      // Nothing in it is a letter or a digit: it must not stay as it is.
      return String(text.map { $0.isWhitespace ? String($0) : letters(1, &random) }.joined())
    }

    /// Addresses and dates are not looked for in longer texts.
    private static let longestForm = 2048

    /// So many small letters, each drawn for itself.
    static func letters(_ count: Int, _ random: inout SampleRandom) -> String {
      String((0..<count).map { _ in random.pick(small) })
    }

    private static let small = Array("abcdefghijklmnopqrstuvwxyz")

    /// Letters for letters, digits for digits; signs and spaces stay.
    private static func plain(
      _ text: some StringProtocol, _ random: inout SampleRandom
    ) -> String {
      let scalars = Array(text.unicodeScalars)
      var made = String.UnicodeScalarView()
      for (place, scalar) in scalars.enumerated() {
        guard scalar.isASCII else {
          made.append(other(scalar, &random))
          continue
        }
        switch scalar {
        case "a"..."z": made.append(drawn("a", 26, &random))
        case "A"..."Z": made.append(drawn("A", 26, &random))
        case "0"..."9":
          let isFirst = place == 0 || !isDigit(scalars[place - 1])
          let isLast = place == scalars.count - 1 || !isDigit(scalars[place + 1])
          // A number keeps its length: it begins with a zero only where it did before.
          if isFirst, !isLast {
            made.append(scalar == "0" ? scalar : drawn("1", 9, &random))
          } else {
            made.append(drawn("0", 10, &random))
          }
        default: made.append(scalar)
        }
      }
      return String(made)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func isReplaced(_ scalar: Unicode.Scalar) -> Bool {
      guard scalar.isASCII else { return kind(scalar) != nil }
      return scalar.properties.isAlphabetic || isDigit(scalar)
    }

    /// One of some characters that follow one another.
    private static func drawn(
      _ first: Unicode.Scalar, _ count: UInt32, _ random: inout SampleRandom
    ) -> Unicode.Scalar {
      Unicode.Scalar(first.value + UInt32(random.next() % UInt64(count))) ?? first
    }

    /// Where the characters begin that stand for one beyond ASCII, and how many there are; nil for
    /// signs and spaces, which stay.
    ///
    /// The vowels of many scripts are marks, and a flag is spelled in tags.
    private static func kind(
      _ scalar: Unicode.Scalar
    ) -> (first: Unicode.Scalar, count: UInt32)? {
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .titlecaseLetter: ("À", 23)
      case .lowercaseLetter: ("à", 23)
      case .otherLetter, .modifierLetter: scalar.value < 0x800 ? ("א", 27) : ("ぁ", 83)
      case .decimalNumber, .letterNumber, .otherNumber: ("①", 20)
      case .otherSymbol: scalar.value > 0xFFFF ? ("🌰", 80) : ("■", 32)
      case .privateUse, .unassigned: ("■", 32)
      // What chooses between the forms of a sign says nothing.
      case .nonspacingMark, .spacingMark: isFormOfSign(scalar) ? nil : ("\u{300}", 21)
      case .modifierSymbol where skinTones.contains(scalar): ("\u{1F3FB}", 5)
      case .format where tags.contains(scalar): ("\u{E0061}", 26)
      default: nil
      }
    }

    private static let skinTones: ClosedRange<Unicode.Scalar> = "\u{1F3FB}"..."\u{1F3FF}"
    private static let tags: ClosedRange<Unicode.Scalar> = "\u{E0030}"..."\u{E007A}"

    private static func isFormOfSign(_ scalar: Unicode.Scalar) -> Bool {
      ("\u{FE00}"..."\u{FE0F}").contains(scalar)
    }

    private static func other(
      _ scalar: Unicode.Scalar, _ random: inout SampleRandom
    ) -> Unicode.Scalar {
      kind(scalar).map { drawn($0.first, $0.count, &random) } ?? scalar
    }

    /// An address of the web, or another URI: its scheme says what it is and stays.
    private static func address(
      _ text: String, isAddress: Bool, _ random: inout SampleRandom
    ) -> String? {
      if let match = text.wholeMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*:\/\/)([^\/?#\s]*)(\S*)/) {
        let host = match.2.filter {
          $0.isASCII && ($0.isLetter || $0.isNumber || ".-".contains($0))
        }
        let labels = host.split(separator: ".")
        let kept = labels.count > 1 ? labels.dropLast() : labels[...]
        let made = kept.map { plain($0, &random) } + (labels.isEmpty ? [] : ["invalid"])
        return match.1 + made.joined(separator: ".") + escaped(match.3, &random)
      }
      guard isAddress, let match = text.wholeMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*:)?(\S*)/) else {
        return nil
      }
      return (match.1 ?? "") + escaped(match.2, &random)
    }

    /// A part of a URI: a percent sign with two digits is one character.
    private static func escaped(_ text: Substring, _ random: inout SampleRandom) -> String {
      plain(text.replacing(/%[0-9A-Fa-f]{2}/, with: " "), &random).replacing(" ", with: "%20")
    }

    /// A date as ISO 8601 writes it, with a time or without; nil for any other text.
    private static func moment(_ text: String, _ random: inout SampleRandom) -> String? {
      let form =
        /\d{4}-\d\d-\d\d(?:([T ])\d\d:\d\d(?:(:)\d\d(\.\d+)?)?(Z|[+\-]\d\d:?\d\d)?)?/
      guard let match = text.wholeMatch(of: form) else { return nil }
      func two(_ range: ClosedRange<Int>) -> String {
        let number = range.lowerBound + Int(random.next() % UInt64(range.count))
        return number < 10 ? "0\(number)" : "\(number)"
      }
      var made = "20\(two(0...29))-\(two(1...12))-\(two(1...28))"
      guard let separator = match.1 else { return made }
      made += "\(separator)\(two(0...23)):\(two(0...59))"
      if match.2 != nil { made += ":\(two(0...59))" }
      return made + plain(match.3 ?? "", &random) + (match.4 ?? "")
    }

    /// The digits of a number: others at the same places, so that it stays as large and as exact.
    static func digits(_ text: String, isLonger: Bool, _ random: inout SampleRandom) -> String {
      let parts = text.split(separator: "e", maxSplits: 1)
      var number = String(parts[0])
      let isWhole = number.hasSuffix(".0")
      if isWhole { number.removeLast(2) }
      let last = number.indices.last { number[$0].isNumber }
      var isBegun = false
      var made = ""
      for place in number.indices {
        let digit = number[place]
        guard digit.isNumber, isBegun || digit != "0" else {
          made.append(digit)
          continue
        }
        // The first digit, and the last after the point, are none that could be left out.
        let isFixed = !isBegun || (place == last && !isWhole)
        made += String(drawn(isFixed ? "1" : "0", isFixed ? 9 : 10, &random))
        isBegun = true
      }
      if isLonger { made += (isWhole ? "." : "") + String(drawn("1", 9, &random)) }
      return made + (parts.count > 1 ? "e\(parts[1])" : "")
    }
  }
}
