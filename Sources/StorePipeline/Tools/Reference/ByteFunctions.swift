extension ScriptReference {
  /// The functions of `base64`, `hex`, `sha256` and `uuid`.
  static let byteFunctions = [
    ScriptFunction(
      "base64.encode", "s: string", "string", "Bytes as base64.",
      .value(#"base64.encode("Milk")"#, gives: #""TWlsaw==""#)),
    ScriptFunction(
      "base64.decode", "s: string", "string", "The bytes of base64.",
      .value(#"base64.decode("TWlsaw==")"#, gives: #""Milk""#)),
    ScriptFunction(
      "hex.encode", "s: string", "string", "Bytes as hexadecimal digits.",
      .value(#"hex.encode("Milk")"#, gives: #""4d696c6b""#)),
    ScriptFunction(
      "hex.decode", "s: string", "string", "The bytes of hexadecimal digits.",
      .value(#"hex.decode("4d696c6b")"#, gives: #""Milk""#)),
    ScriptFunction(
      "sha256", "s: string", "string", "The digest as 64 hexadecimal digits.",
      .value(#"sha256("Milk"):sub(1, 8)"#, gives: #""8189b840""#)),
    ScriptFunction(
      "uuid.parse", "s: string", "string?", "A UUID's 36 characters in upper case, or nil.",
      .value(
        #"uuid.parse("3e0b6c1a-5c0f-4b57-9a53-0f4f7c1c9a11")"#,
        gives: #""3E0B6C1A-5C0F-4B57-9A53-0F4F7C1C9A11""#)),
    ScriptFunction(
      "uuid.bytes", "s: string", "string", "The 16 bytes of a UUID.",
      .value(#"#uuid.bytes("3E0B6C1A-5C0F-4B57-9A53-0F4F7C1C9A11")"#, gives: "16")),
    ScriptFunction(
      "uuid.text", "bytes: string", "string", "The 36 characters of 16 bytes.",
      .value(
        #"uuid.text(("\0"):rep(16))"#, gives: #""00000000-0000-0000-0000-000000000000""#)),
    ScriptFunction(
      "uuid.named", "name: string", "string",
      "The UUID of a name, always the same one: version 8, from SHA-256.",
      .value(#"uuid.named("Home") == uuid.named("Home")"#, gives: "true")),
  ]

  /// The functions of `json` and `plist`.
  static let documentFunctions = [
    ScriptFunction(
      "json.encode", "value: any, pretty?: boolean", "string",
      "JSON; whole numbers beyond 2^53 are written as texts.",
      .value(#"json.encode({ name = "Milk" })"#, gives: #"'{"name":"Milk"}'"#)),
    ScriptFunction(
      "json.decode", "s: string", "any", "What JSON says.",
      .value(#"json.decode('{"tags":["shop"]}').tags[1]"#, gives: #""shop""#)),
    ScriptFunction(
      "plist.encode", "value: any", "string", "A binary property list.",
      .value(#"plist.encode({ 1 }):sub(1, 8)"#, gives: #""bplist00""#)),
    ScriptFunction(
      "plist.decode", "s: string", "any",
      "A property list or a keyed archive, such as a transformable attribute holds, as a table.",
      .value(#"plist.decode(plist.encode({ name = "Milk" })).name"#, gives: #""Milk""#)),
    ScriptFunction(
      "plist.archive", "value: any", "string",
      "A keyed archive, as Core Data's own transformers read it.",
      .value(#"plist.decode(plist.archive({ "red", "blue" }))[2]"#, gives: #""blue""#)),
  ]
}
