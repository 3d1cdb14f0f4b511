/// The summary of a run as a page that needs no network.
package struct HTMLRunSummary {
  /// The page.
  package let text: String

  /// The page of a summary.
  package init(_ summary: RunSummary) {
    let title = "\(summary.source) -> \(summary.target)".html
    text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="run" content="\(summary.run.html)">
      <title>\(title)</title>
      </head>
      <body>
      <h1>\(title)</h1>
      <pre>\(TextRunSummary(summary, width: 100).text.html)</pre>
      </body>
      </html>

      """
  }
}
