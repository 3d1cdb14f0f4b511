import Testing

@testable import StorePipeline

@Suite("Stage reference")
struct StageReferenceTests {
  @Test("a chapter has summary, options with their fields, rules, facts and the example")
  func chapter() {
    let stage = StageDescription(
      name: "stamp", summary: "Stamps.", details: "Every object gets one.",
      options: [
        OptionDescription(
          "ink", .choice(["red", "blue"]), default: .text("red"), help: "Red | blue."),
        OptionDescription(
          "size", .table(OptionTable([OptionDescription("mm", .atLeast(1), help: "Width.")])),
          isRequired: true, help: "How large."),
      ],
      rules: [
        RuleDescription(
          name: "skip", summary: "Leaves objects out.",
          options: [
            OptionDescription(
              "names", .list(.name(.entity)), isUnnamed: true, help: "The entities.")
          ])
      ],
      consumes: [.objects], touches: [.destination], place: .inStep, mayRepeat: true,
      example: #"stage "stamp" { size = { mm = 3 } }"#)
    #expect(
      StageReference([stage]).markdown == #"""
        # Stages

        ## stamp

        Stamps.

        Every object gets one.

        | option | values | default | what it says |
        | --- | --- | --- | --- |
        | `ink` | `"red"` or `"blue"` | `"red"` | Red \| blue. |
        | `size` | table | required | How large. |
        | `size.mm` | whole number, at least 1 |  | Width. |

        ### skip

        Leaves objects out.

        | option | values | default | what it says |
        | --- | --- | --- | --- |
        | `names`, or without its name | list of entity |  | The entities. |

        - needs: the objects of the new store
        - makes: nothing
        - changes: the store that is being built
        - stands: above the swap; inside the steps where there are any, more than once too

        ```lua
        stage "stamp" { size = { mm = 3 } }
        ```

        """#)
  }

  @Test("every stage has its chapter, in the order of the list")
  func chapters() {
    let names = StageRegistry.standard.descriptions.map(\.name)
    let markdown = StageReference(StageRegistry.standard.descriptions).markdown
    let found = markdown.split(separator: "\n").filter { $0.hasPrefix("## ") }
    #expect(found == names.map { "## \($0)" })
  }

  @Test("the JSON is a document of the format that is documented")
  func json() throws {
    let json = StageReference([HookStage.kind.description]).json
    #expect(
      json.hasPrefix("{\n  \"format\": 1,\n  \"stages\": [\n    {\n      \"name\": \"hook\","))
    for key in ["summary", "details", "options", "rules", "consumes", "produces", "touches"] {
      #expect(json.contains("\"\(key)\": "))
    }
  }
}
