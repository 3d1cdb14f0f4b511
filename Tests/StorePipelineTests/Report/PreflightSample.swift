import CoreDataStore
import StorePipeline
import StoreTestSupport
import Testing

/// A version whose successor has rules that some of its objects break.
enum PreflightSample {
  private static func item(_ rank: String, _ label: String) -> String {
    """
    <entity name="Item"><attribute name="rank" optional="YES" attributeType="Integer 16" \(rank)/>
    <attribute name="label" \(label) attributeType="String"/></entity>
    """
  }

  /// The plan for a store of five items: of three the label is missing, of one the rank is low.
  static func preflight(limit: Int) throws -> (plan: Plan, result: [VersionPreflight]) {
    let old = item("", "optional=\"YES\"")
    let folder = try PlanFolder.models([old, item("minValueString=\"1\"", "")])
    let model = try ModelFile(folder.path("App.xcdatamodeld")).model(named: "App")
    try SampleStore.make(
      of: model, at: folder.path("App.sqlite"),
      adding: """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZRANK, ZLABEL) VALUES (1, 1, 1, 5, 'a'),
          (2, 1, 1, NULL, NULL), (3, 1, 1, 1, NULL), (4, 1, 1, 0, 'b'), (5, 1, 1, 2, NULL);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 5;
        """)
    let plan = try folder.plan(
      PlanFolder.appText("stage \"copy\" {}", header: "target = \"App 2\""), store: "App.sqlite")
    return (plan, try plan.preflight(of: Store(folder.path("App.sqlite")), limit: limit))
  }
}
