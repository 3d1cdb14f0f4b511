/// The summary of a run as a page that needs no network.
package struct HTMLRunSummary {
  /// The page.
  package let text: String

  /// The page of a summary.
  package init(_ summary: RunSummary) {
    let title = HTMLText.escaped("\(summary.source) -> \(summary.target)")
    text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <title>\(title)</title>
      </head>
      <body>
      <h1>\(title)</h1>
      <pre>\(HTMLText.escaped(TextRunSummary(summary, width: 100).text))</pre>
      </body>
      </html>

      """
  }
}
