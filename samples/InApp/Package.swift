// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "InApp",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "JournalStore", targets: ["JournalStore"])],
  dependencies: [
    // Lua is the system's or Homebrew's here. An app names its fork, which has Lua's source:
    // .package(url: "https://github.com/you/pipeline", branch: "main", traits: ["LuaSource"])
    .package(name: "pipeline", path: "../..")
  ],
  targets: [
    .target(
      name: "JournalStore",
      dependencies: [.product(name: "StorePipelineApp", package: "pipeline")],
      resources: [.copy("Upgrade")]),
    .executableTarget(
      name: "in-app",
      dependencies: [
        "JournalStore", .product(name: "StorePipelineApp", package: "pipeline"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
