// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: memory safety is spelled out, warnings are errors, imports do not leak.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The C target is held to the same standard.
let strictC: [CSetting] = [
  .enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error),
]

/// Faults on purpose are of debug builds alone: see `make torture`.
let faulty = strict + [.define("FAULTS", .when(configuration: .debug))]

#if os(macOS)
// The scripts ask in the same way: .ci/homebrew.
#if arch(arm64)
let usualHomebrew = "/opt/homebrew"
#else
let usualHomebrew = "/usr/local"
#endif
let homebrew = Context.environment["HOMEBREW_PREFIX"] ?? usualHomebrew

/// Where pkg-config's file of a library is: in the folder of its formula.
///
/// It is named by its path, so that Xcode finds it: opened from the Dock, Xcode knows neither
/// pkg-config nor the variables of a terminal. What has no formula comes with the SDK.
func library(_ name: String, formula: String?) -> String? {
  formula.map { "\(homebrew)/opt/\($0)/lib/pkgconfig/\(name).pc" }
}
#else
/// The library's name, by which pkg-config finds it.
func library(_ name: String, formula: String?) -> String? { name }
#endif

let package = Package(
  name: "pipeline",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "StorePipeline", targets: ["StorePipeline", "StorePrograms", "CoreDataStore"]),
    .library(
      name: "StorePipelineApp", targets: ["StorePipelineApp", "StorePipeline", "CoreDataStore"]),
    .executable(name: "pipeline", targets: ["pipeline"]),
  ],
  traits: [
    .default(enabledTraits: ["SystemLua"]),
    .trait(name: "SystemLua", description: "Lua 5.4 as a library of the system or of Homebrew."),
    .trait(
      name: "LuaSource",
      description: "Lua 5.4 as a part of the program, from its source: see `make lua-source`."),
    .trait(
      name: "Images",
      description: "The module `image` of scripts: pictures made smaller, by libjpeg and libvips.",
      enabledTraits: ["SystemLua"]),
  ],
  targets: [
    // The system's libraries. CONTRIBUTING says why each is here, and where it comes from.
    .systemLibrary(
      name: "CSQLite", path: "Sources/C/CSQLite", pkgConfig: library("sqlite3", formula: nil),
      providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CLua", path: "Sources/C/CLua", pkgConfig: library("lua5.4", formula: "lua@5.4"),
      providers: [.apt(["liblua5.4-dev"]), .brew(["lua@5.4"])]),
    .systemLibrary(
      name: "CZlib", path: "Sources/C/CZlib", pkgConfig: library("zlib", formula: nil),
      providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CCrypto", path: "Sources/C/CCrypto", pkgConfig: library("libcrypto", formula: nil),
      providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CExpat", path: "Sources/C/CExpat", pkgConfig: library("expat", formula: nil),
      providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(
      name: "CJPEG", path: "Sources/C/CJPEG", pkgConfig: library("libjpeg", formula: "jpeg-turbo"),
      providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),

    // The layers, lowest first. A target may depend only on those above it in this list.
    .target(
      name: "Formats",
      dependencies: [
        "CZlib", .target(name: "CCrypto", condition: .when(platforms: [.linux])),
        .target(name: "CExpat", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: strict),
    .target(
      name: "CLuaSource", path: "Sources/C/CLuaSource", sources: ["CLuaSource.c"],
      cSettings: [.define("LUA_SOURCE", .when(traits: ["LuaSource"]))]),
    .target(
      name: "LuaHost",
      dependencies: [
        .target(name: "CLua", condition: .when(traits: ["SystemLua"])),
        .target(name: "CLuaSource", condition: .when(traits: ["LuaSource"])),
        "CSQLite",
      ], path: "Sources/C/LuaHost",
      cSettings: strictC + [
        .define("SYSTEM_LUA", .when(traits: ["SystemLua"])),
        .define("LUA_SOURCE", .when(traits: ["LuaSource"])),
      ]),
    .target(
      name: "ImageHost",
      dependencies: [.target(name: "CJPEG", condition: .when(traits: ["Images"]))],
      path: "Sources/C/ImageHost",
      cSettings: strictC + [.define("IMAGES", .when(traits: ["Images"]))]),
    .target(
      name: "Faults", dependencies: ["CSQLite"], path: "Sources/C/Faults",
      cSettings: strictC + [.define("FAULTS", .when(configuration: .debug))]),
    .target(name: "PageHost", path: "Sources/C/PageHost", cSettings: strictC),
    .target(
      name: "SQLiteHost", dependencies: ["CSQLite"], path: "Sources/C/SQLiteHost",
      cSettings: strictC),
    .target(name: "SystemHost", path: "Sources/C/SystemHost", cSettings: strictC),
    .target(name: "ProcessHost", path: "Sources/C/ProcessHost", cSettings: strictC),
    .target(
      name: "OperatingSystem", dependencies: ["SystemHost", "Faults"], swiftSettings: faulty),
    .target(
      name: "SQLite",
      dependencies: ["CSQLite", "SQLiteHost", "PageHost", "OperatingSystem", "Formats"],
      swiftSettings: faulty),
    .target(
      name: "Lua", dependencies: ["LuaHost", "ImageHost", "OperatingSystem", "Formats"],
      swiftSettings: strict),
    .target(
      name: "CoreDataStore", dependencies: ["SQLite", "OperatingSystem", "Formats"],
      swiftSettings: faulty),
    .target(
      name: "StoreReplacement",
      dependencies: ["CoreDataStore", "SQLite", "OperatingSystem", "Formats"],
      swiftSettings: faulty),
    .target(
      name: "StoreMigration",
      dependencies: ["StoreReplacement", "CoreDataStore", "SQLite", "OperatingSystem", "Formats"],
      swiftSettings: faulty),
    .target(
      name: "StorePipeline",
      dependencies: [
        "StoreMigration", "StoreReplacement", "CoreDataStore", "Lua", "OperatingSystem", "Formats",
      ],
      // What is written in another language is part of the program, wherever the command is.
      resources: [
        .embedInCode("Stages/Plugins/Shipped/redact.lua"),
        .embedInCode("Stages/Plugins/Shipped/dedupe.lua"),
        .embedInCode("Pipeline/Prelude.lua"),
        .embedInCode("Script/ScriptPrelude.lua"),
        .embedInCode("Script/ScriptObjectsPrelude.lua"),
        .embedInCode("Stages/Plugins/StagePrelude.lua"),
        .embedInCode("Tools/Test/TestPrelude.lua"),
        // Links to pages of the documentation, which `pipeline help` prints.
        .embedInCode("Tools/Reference/Pages/PipelineFile.md"),
        .embedInCode("Tools/Reference/Pages/Scripts.md"),
        .embedInCode("Tools/Reference/Pages/Hooks.md"),
        .embedInCode("Tools/Reference/Pages/Losses.md"),
        .embedInCode("Report/HTMLPage.js"),
        .embedInCode("Tools/Fleet/Picture/FleetPicture.js"),
        .embedInCode("Report/HTMLPage.css"),
        .embedInCode("Report/Plan/HTMLPlanReport.js"),
        .embedInCode("Report/Plan/HTMLPlanReport.css"),
        .embedInCode("Report/Diagram/DiagramScript.js"),
        .embedInCode("Report/Diagram/DiagramStyle.css"),
        .embedInCode("Report/Difference/DifferenceScript.js"),
        .embedInCode("Report/Difference/DifferenceStyle.css"),
      ], swiftSettings: strict),
    .target(
      name: "StorePipelineApp",
      dependencies: [
        "StorePipeline", "StoreReplacement", "CoreDataStore", "OperatingSystem", "Formats",
      ],
      swiftSettings: strict),
    // No part of what an app links: the programs of hooks, signals, terminals.
    .target(
      name: "StorePrograms",
      dependencies: ["StorePipeline", "CoreDataStore", "OperatingSystem", "ProcessHost"],
      swiftSettings: strict),
    .executableTarget(
      name: "pipeline",
      dependencies: [
        "StorePipeline", "StorePrograms", "StoreMigration", "StoreReplacement", "CoreDataStore",
        "OperatingSystem",
      ],
      swiftSettings: strict),

    // One test target a layer, and one for the rules that no compiler checks.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "StoreTestSupport",
      dependencies: [
        "StoreMigration", "StoreReplacement", "CoreDataStore", "SQLite", "Formats", "TestSupport",
      ],
      path: "Tests/StoreTestSupport", swiftSettings: strict),
    .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "FormatsTests", dependencies: ["Formats", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "SQLiteTests", dependencies: ["SQLite", "OperatingSystem", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "OperatingSystemTests", dependencies: ["OperatingSystem", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "LuaTests", dependencies: ["Lua", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "CoreDataStoreTests",
      dependencies: [
        "CoreDataStore", "SQLite", "OperatingSystem", "Formats", "TestSupport", "StoreTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StoreReplacementTests",
      dependencies: [
        "StoreReplacement", "CoreDataStore", "SQLite", "OperatingSystem", "Formats", "TestSupport",
        "StoreTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StoreMigrationTests",
      dependencies: [
        "StoreMigration", "StoreReplacement", "CoreDataStore", "SQLite", "OperatingSystem",
        "Formats", "TestSupport", "StoreTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StorePipelineTests",
      dependencies: [
        "StorePipeline", "StorePrograms", "StoreMigration", "StoreReplacement", "CoreDataStore",
        "Formats",
        "TestSupport", "StoreTestSupport",
      ],
      exclude: ["Conformance/Pipelines", "Golden/Expected"], swiftSettings: strict),
    .testTarget(
      name: "StorePipelineAppTests",
      dependencies: [
        "StorePipelineApp", "StorePipeline", "CoreDataStore", "SQLite", "OperatingSystem",
        "TestSupport", "StoreTestSupport", "in-app",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StoreProgramsTests",
      dependencies: ["StorePrograms", "StorePipeline", "CoreDataStore", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PipelineCommandTests",
      dependencies: [
        "pipeline", "StorePipeline", "StorePrograms", "StoreMigration", "StoreReplacement",
        "CoreDataStore",
        "OperatingSystem", "TestSupport", "StoreTestSupport", "Measure", "ExampleProgram",
      ],
      exclude: ["Transcripts", "Kubernetes"], swiftSettings: strict),
    .testTarget(
      name: "BenchmarksTests",
      dependencies: [
        "Benchmarks", "Meter", "LargeStore", "pipeline", "StoreMigration", "StoreReplacement",
        "CoreDataStore", "SQLite", "Formats", "TestSupport",
      ],
      exclude: ["Steps/steps.c"], swiftSettings: strict),

    // What a test of the command's memory runs it by.
    .executableTarget(name: "Measure", path: "Tests/Measure", swiftSettings: strict),

    // The core of an app, samples/InApp, with the settings of this manifest.
    .target(
      name: "JournalStore", dependencies: ["StorePipelineApp"],
      path: "samples/InApp/Sources/JournalStore", resources: [.copy("Upgrade")],
      swiftSettings: strict),
    .executableTarget(
      name: "in-app", dependencies: ["JournalStore", "StorePipelineApp"],
      path: "samples/InApp/Sources/in-app", swiftSettings: strict),

    // What `make memory` and `make bench` run; no part of the product.
    .executableTarget(
      name: "ExampleProgram",
      dependencies: ["StorePipeline", "StoreMigration", "StoreReplacement", "CoreDataStore"],
      path: "Tests/ExampleProgram", swiftSettings: strict),
    .executableTarget(
      name: "LargeStore",
      dependencies: ["StoreMigration", "StoreReplacement", "CoreDataStore", "SQLite"],
      path: "Tests/LargeStore", swiftSettings: strict),
    .executableTarget(
      name: "Torture",
      dependencies: [
        "StoreMigration", "StoreReplacement", "CoreDataStore", "SQLite", "OperatingSystem",
        "StoreTestSupport", "Formats",
      ],
      path: "Tests/Torture", swiftSettings: strict),
    .executableTarget(
      name: "Benchmarks", dependencies: ["SQLite", "Lua", "Formats"], path: "Tests/Benchmarks",
      exclude: ["Peers", "Goals/reached.json"], swiftSettings: strict),
    .executableTarget(name: "Meter", path: "Tests/Meter", cSettings: strictC),
  ],
  swiftLanguageModes: [.v6]
)
