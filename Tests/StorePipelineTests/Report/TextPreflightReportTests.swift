import CoreDataStore
import StorePipeline
import TestSupport
import Testing

@Suite("Preflights as text", .temporaryFolder)
struct TextPreflightReportTests {
  @Test("objects stand above what would settle it") func failures() throws {
    let (plan, result) = try PreflightSample.preflight(limit: 2)
    let text = TextPreflightReport(result, plan, width: 80, style: Style(isOn: false)).text
    #expect(
      text == """
        Failures under the rules of App 2: 4
          Item 2  label  mandatory
          Item 3  label  mandatory
          and 2 more

        What would settle it, each line by itself
          Item label, mandatory: 3 objects
            Core Data ends the migration with 134110: Validation error missing attribute \
        values on mandatory destination attribute
            where { entity = "Item", "label IS NOT NULL" }
            stage "transform" { entity = "Item", script = "item.lua" } \
        -- attributes = { label = function(label) \
        return label or "" end }
          Item rank, at least 1: 1 object
            stage "transform" { entity = "Item", script = "item.lua" } \
        -- attributes = { rank = function(rank) \
        return rank and math.max(rank, 1) end }
        """, "\(text)")
  }
}
