/// The measures of a diagram in pixels, which layout and style sheet share.
enum DiagramMeasure {
  static let boxWidth = 270
  /// The height of a box's title.
  static let title = 34
  /// The height of the line below the title, where there is one.
  static let subtitle = 20
  /// The height of a property.
  static let row = 22
  /// Room between the last property and the border.
  static let foot = 6
  /// Room between two columns, through which lines run.
  static let columnGap = 96
  /// Room between two boxes of a column.
  static let rowGap = 28
  /// Room around everything.
  static let margin = 24
}
