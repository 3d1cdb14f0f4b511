import Foundation
import Testing

@testable import StorePipeline

@Suite("Diagram style")
struct DiagramStyleTests {
  private typealias Colours = [String: [Double]]

  /// The colours of both schemes: the light one's are written first.
  private static let schemes = DiagramStyle.css.split(
    separator: "prefers-color-scheme: dark", maxSplits: 1
  )
  .map { text in
    let pairs = text.matches(of: /--([a-z-]+): #([0-9a-f]{6});/).map { match in
      let number = Int(match.2, radix: 16) ?? 0
      return (String(match.1), [16, 8, 0].map { Double(number >> $0 & 255) / 255 })
    }
    return Dictionary(pairs) { first, _ in first }
  }

  private static let texts =
    [("ink", "ground"), ("ink", "paper"), ("faint", "ground"), ("faint", "paper")]
    + ["added", "removed", "renamed", "changed"].flatMap { tone in
      [(tone, "\(tone)-ground"), ("ink", "\(tone)-ground")]
    } + [("stop", "stop-ground"), ("stop", "ground")]

  /// WCAG 2.2, 1.4.3: text has "a contrast ratio of at least 4.5:1".
  @Test("text can be read on its ground, in the light and in the dark", arguments: texts)
  func contrast(text: String, ground: String) throws {
    #expect(Self.schemes.count == 2)
    for colours in Self.schemes {
      let one = Self.luminance(try #require(colours[text]))
      let other = Self.luminance(try #require(colours[ground]))
      #expect((max(one, other) + 0.05) / (min(one, other) + 0.05) >= 4.5)
    }
  }

  /// WCAG 2.2, "relative luminance".
  private static func luminance(_ colour: [Double]) -> Double {
    let linear = colour.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return zip(linear, [0.2126, 0.7152, 0.0722]).reduce(0) { $0 + $1.0 * $1.1 }
  }

  @Test("every change has a tone, and its lines differ by more than colour") func changes() {
    for change in ["added", "removed", "renamed", "changed"] {
      #expect(DiagramStyle.css.contains("\n.\(change) { --tone: var(--\(change));"))
    }
    for change in ["removed", "renamed", "changed"] {
      #expect(DiagramStyle.css.contains(".line.\(change) path { stroke-dasharray:"))
    }
  }
}
