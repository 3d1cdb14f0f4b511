extension ScriptReference {
  /// A picture of three pixels by two, for the examples.
  private static let dots = """
    base64.decode("iVBORw0KGgoAAAANSUhEUgAAAAMAAAACAQAAAAC1D1u3AAAADElEQVR42mN4wPAAAAOEAcHriN2/\
    AAAAAElFTkSuQmCC")
    """

  static let imageFunctions = [
    ScriptFunction(
      "image.thumbnail", "s: string, side: integer, options?: table", "string?, string?",
      """
      The picture with neither side longer than `side`, which never makes it larger: upright, in \
      sRGB, without metadata. `options` are `format`, "jpeg", "png" or "webp" (its own without \
      one, or PNG), and `quality` from 1 to 100, 85 without one.
      """,
      .value("image.size(image.thumbnail(\(dots), 1))", gives: "1")),
    ScriptFunction(
      "image.size", "s: string", "integer?, integer | string",
      "Width and height, as the picture is to be shown.",
      .value("image.size(\(dots))", gives: "3")),
    ScriptFunction(
      "image.format", "s: string", "string?, string?",
      #"What the bytes are: "jpeg", "png", "webp", "gif", "heif" or "tiff"."#,
      .value("image.format(\(dots))", gives: #""png""#)),
  ]
}
