import CoreDataStore
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Model files of the corpus",
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusModels.advice)))
struct CorpusModelTests {
  @Test("every folder of compiled versions agrees with its own record")
  func compiled() throws {
    let folders = CorpusModels.paths(endingIn: ".momd")
    #expect(!folders.isEmpty)
    for folder in folders {
      let file = try ModelFile(CorpusModels.file(folder))
      #expect(file.versions.contains(try file.currentVersion))
      for model in try file.models {
        let hashes = VersionHashes(of: model)
        #expect(hashes.uncertain.isEmpty)
        #expect(hashes.entities == model.recordedHashes, "\(folder) \(model.name)")
      }
    }
  }

  @Test("a model is the same from its source and from its compiled form")
  func sameModel() throws {
    for name in ["SampleModel", "SampleModel3"] {
      let resources = "CoreDataPlus/Tests/Resources/\(name)"
      let source = try ModelFile(CorpusModels.file("\(resources)/\(name).xcdatamodeld"))
      let compiled = try ModelFile(CorpusModels.file("\(resources)/Fixtures/\(name).momd"))
      #expect(source.versions == compiled.versions)
      #expect(try source.currentVersion == compiled.currentVersion)
      for version in source.versions {
        let first = try source.model(named: version)
        let second = try compiled.model(named: version)
        let difference = ModelDifference(from: first, to: second)
        // The compiled form was made before the class of one transformable attribute was set.
        let aspects = difference.entities.flatMap(\.properties).flatMap(\.aspects).map(\.name)
        #expect(aspects == (version == "SampleModel" ? ["class of values"] : []))
        #expect(difference.entities.flatMap(\.aspects).isEmpty, "\(version)")
        #expect(first.versionIdentifiers == second.versionIdentifiers)
        #expect(first.configurations == second.configurations)
      }
    }
  }

  @Test("every source model is read, or refused because it is too old")
  func sources() throws {
    let folders = CorpusModels.paths(endingIn: ".xcdatamodeld")
    #expect(folders.count >= 10)
    for folder in folders {
      let file = try ModelFile(CorpusModels.file(folder))
      guard !folder.contains("Recipes") else {
        let error = #expect(throws: Failure.self) { _ = try file.models }
        #expect(error?.why.contains("Xcode 3") == true)
        continue
      }
      #expect(try file.models.allSatisfy { !$0.entities.isEmpty })
    }
  }

  @Test("composite attributes are named as uncertain, with their parts")
  func composites() throws {
    let folder =
      "CoreDataEvolution/Models/Integration/CoreDataEvolutionIntegrationModel.xcdatamodeld"
    let model = try ModelFile(CorpusModels.file(folder)).current
    let hashes = VersionHashes(of: model)
    #expect(hashes.missing == ["CDEItem"])
    #expect(hashes.digest == nil)
    let item = model.entity(named: "CDEItem")
    #expect(item?.composites.map(\.name).contains("location") == true)
    #expect(item?.attribute(named: "location.x")?.isElement == true)
    #expect(item?.attribute(named: "location.y")?.isElement == true)
  }
}
