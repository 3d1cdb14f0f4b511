import StorePipeline
import Testing

@Suite("Options of stages")
struct OptionDescriptionTests {
  private static let options = StageRegistry.standard.descriptions.flatMap { stage in
    stage.options.map { (stage.name, $0) }
  }

  @Test("each is described in sentences", arguments: options)
  func help(stage: String, option: OptionDescription) {
    #expect(option.help.hasSuffix("."))
    #expect(option.help.first?.isUppercase == true || option.help.first == "`")
  }

  @Test("what must be written has no value it would have otherwise", arguments: options)
  func required(stage: String, option: OptionDescription) {
    #expect(!option.isRequired || option.default == nil)
  }

  @Test("an option is optional, named and without a value unless it says otherwise")
  func plain() {
    let option = OptionDescription("a", .text, help: "A.")
    #expect(!option.isRequired && !option.isUnnamed && option.default == nil)
  }
}
