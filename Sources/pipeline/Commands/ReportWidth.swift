extension Console {
  /// The columns a report may take: beyond a hundred, lines are hard to follow.
  var reportWidth: Int { max(40, min(outputWidth, 100)) }

  /// The columns of text that is read from top to bottom.
  var pageWidth: Int { max(40, min(outputWidth, 80)) }
}
