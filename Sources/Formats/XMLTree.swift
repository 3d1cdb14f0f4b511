/// An XML document in memory: the reader of models' sources and of XML property lists.
///
/// Documents are UTF-8 without definitions of their own; see `XMLGuard` for what is refused.
package struct XMLTree: Equatable, Sendable {
  /// An element with all that is in it.
  package struct Element: Equatable, Sendable {
    /// The name between the angle brackets.
    package let name: String
    package let attributes: [String: String]
    /// The line of the opening tag, counted from 1.
    package let line: Int
    /// The elements directly inside, in order.
    package fileprivate(set) var children: [Element] = []
    /// The text directly inside, the pieces between children joined.
    package fileprivate(set) var text = ""

    /// The value of an attribute, if it is there.
    package subscript(attribute: String) -> String? { attributes[attribute] }

    /// The elements directly inside that have a name.
    package func children(_ name: String) -> [Element] { children.filter { $0.name == name } }
  }

  package let root: Element

  /// Whether bytes begin as XML does, after a byte order mark and white space.
  package static func claims(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: XMLGuard.byteOrderMark) ? XMLGuard.byteOrderMark.count : 0
    return bytes[start...].first { !$0.isXMLSpace } == UInt8(ascii: "<")
  }

  /// Reads a whole document.
  package init(_ bytes: [UInt8], limits: FormatLimits = .xml) throws(FormatError) {
    let builder = Builder(limits)
    PlatformXML.parse(try XMLGuard.admit(bytes, limits: limits), for: builder)
    root = try builder.result()
  }

  /// Puts the tree together while the parser reads.
  private final class Builder: XMLEvents {
    private var open: [Element] = []
    private var root: Element?
    private var failure: FormatError?
    private var budget: FormatBudget

    init(_ limits: FormatLimits) { budget = FormatBudget(limits, for: .xml) }

    func began(_ name: String, _ attributes: [String: String], line: Int) -> Bool {
      do throws(FormatError) {
        for _ in 0...attributes.count { try budget.spend(level: open.count + 1) }
        guard failure == nil else { return false }
        open.append(Element(name: name, attributes: attributes, line: line))
        return true
      } catch {
        failure = failure ?? FormatError(.xml, error.problem, at: .line(line))
        return false
      }
    }

    func ended() {
      // After a failure the parser may still close elements that were never opened here.
      guard failure == nil, let last = open.popLast() else { return }
      if open.isEmpty { root = last } else { open[open.count - 1].children.append(last) }
    }

    func found(text: String) -> Bool {
      guard failure == nil else { return false }
      if !open.isEmpty { open[open.count - 1].text += text }
      return true
    }

    func failed(_ problem: String, line: Int) {
      failure = failure ?? FormatError(.xml, problem, at: .line(line))
    }

    /// The outermost element, if it was opened, closed, and nothing was wrong.
    func result() throws(FormatError) -> Element {
      if let failure { throw failure }
      if let last = open.last {
        throw FormatError(.xml, "cut short: <\(last.name)> is not closed", at: .line(last.line))
      }
      guard let root else { throw FormatError(.xml, "holds no element") }
      return root
    }
  }
}
