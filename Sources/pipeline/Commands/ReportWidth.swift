extension Console {
  /// The columns a report may take: beyond a hundred, lines are hard to follow.
  var reportWidth: Int { max(40, min(outputWidth, 100)) }
}
