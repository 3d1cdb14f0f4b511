import Formats
import StorePipeline
import Testing

@Suite("Settings of the language server")
struct LanguageServerSettingsTests {
  @Test("what the sandbox lacks is switched off, and the annotations are known")
  func settings() throws {
    let json = try JSONValue(reading: Array(LanguageServerSettings.text.utf8))
    for library in ["os", "io", "debug", "package", "coroutine"] {
      #expect(json["runtime.builtin"]?[library]?.string == "disable")
    }
    #expect(json["workspace.library"]?.array?.first?.string == TypeAnnotations.fileName)
    #expect(json["diagnostics.globals"]?.array?.contains(.string("case")) == true)
  }
}
