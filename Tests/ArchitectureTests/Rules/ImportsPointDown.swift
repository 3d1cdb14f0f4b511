extension Rule {
  /// Each library has one door; the build checks the order of the layers, this checks the doors.
  static let importsPointDown = Rule(
    "each system library is imported by its own layer alone",
    refused: [
      SourceFile("Sources/CoreDataStore/A.swift", "import CSQLite"),
      SourceFile("Sources/StorePipeline/A.swift", "internal import struct LuaHost.A"),
      SourceFile("Sources/SQLite/A.swift", "private import Foundation"),
      SourceFile("Sources/CoreDataStore/B.swift", "@preconcurrency import FoundationXML"),
      SourceFile("Tests/LuaTests/A.swift", "import XCTest"),
      SourceFile("Tests/LuaTests/B.swift", "import Glibc"),
      SourceFile("Sources/C/LuaHost/include/LuaHost.h", "#include <lua.h>"),
      SourceFile("Sources/C/LuaHost/a.c", "#include \"zlib.h\""),
      SourceFile("Sources/C/ImageHost/include/ImageHost.h", "#include <jpeglib.h>"),
    ],
    allowed: [
      SourceFile("Sources/SQLite/B.swift", "import CSQLite\nimport Formats"),
      SourceFile("Tests/TestSupport/Platform.swift", "import Glibc"),
      SourceFile("Sources/Lua/B.swift", "internal import LuaHost"),
      SourceFile("Sources/Formats/B.swift", "import CZlib\nimport Foundation"),
      SourceFile("Sources/C/LuaHost/b.c", "#include <lua.h>\n#include <sqlite3.h>"),
      SourceFile("Sources/pipeline/B.swift", "// import CSQLite"),
    ],
    checkEach: { file in
      file.imports.compactMap { line, name in
        guard let doors = doors[name] else {
          let isStray = name == "Foundation" && file.isBelow(["Sources/SQLite/"])
          return isStray ? file.offence(line, "Sources/SQLite does without Foundation") : nil
        }
        if file.isBelow(doors.in), !file.isBelow(doors.notIn) { return nil }
        return file.offence(line, "`\(name)` is for \(doors.in.joined(separator: ", "))")
      }
    })

  private static let doors: [String: (in: [String], notIn: [String])] = [
    "CSQLite": (["Sources/SQLite/", fuzzedPages], []),
    "sqlite3.h": (
      [
        "Sources/C/CSQLite/", "Sources/C/SQLiteHost/", "Sources/C/LuaHost/", "Sources/C/Faults/",
        peers,
      ],
      ["Sources/C/LuaHost/include/", "Sources/C/SQLiteHost/include/"]
    ),
    "Faults": (["Sources/OperatingSystem/"], []),
    "SystemHost": (["Sources/OperatingSystem/"], []),
    "PageHost": (["Sources/SQLite/", fuzzedPages], []),
    "SQLiteHost": (["Sources/SQLite/"], []),
    "ProcessHost": (["Sources/StorePrograms/"], []),
    "Darwin": cDoors, "Glibc": cDoors, "Musl": ([], []),
    "LuaHost": (["Sources/Lua/"], []),
    "CLua": ([], []), "CLuaSource": ([], []),
    "ImageHost": (["Sources/Lua/"], []),
    "lua.h": luaDoors, "lauxlib.h": luaDoors, "lualib.h": luaDoors,
    "CZlib": (["Sources/Formats/"], []),
    "zlib.h": (["Sources/C/CZlib/"], []),
    "CCrypto": (["Sources/Formats/"], []),
    "CExpat": (["Sources/Formats/"], []),
    "FoundationXML": ([], []),
    "CJPEG": ([], []),
    "jpeglib.h": jpegDoors, "jerror.h": jpegDoors,
    "CryptoKit": (["Sources/Formats/"], []),
    "XCTest": ([], []),
  ]

  /// A walk over pages in memory is compared with what SQLite says of them there.
  private static let fuzzedPages = "Tests/Fuzz/FuzzPages.swift"

  /// What tests alone need of the C library; the product has SystemHost.
  private static let cDoors = (
    in: ["Tests/Measure/Platform.swift", "Tests/TestSupport/Platform.swift"], notIn: [String]()
  )

  /// Programs of others' making, against which `make bench` holds the command.
  private static let peers = "Tests/Benchmarks/Peers/"

  private static let jpegDoors = (
    in: ["Sources/C/CJPEG/", "Sources/C/ImageHost/"], notIn: ["Sources/C/ImageHost/include/"]
  )

  private static let luaDoors = (
    in: ["Sources/C/CLua/", "Sources/C/CLuaSource/", "Sources/C/LuaHost/", peers],
    notIn: ["Sources/C/LuaHost/include/"]
  )
}

extension SourceFile {
  /// The modules and headers this file takes in, with their lines.
  fileprivate var imports: [(line: Int, name: String)] {
    isSwift ? swiftImports : isC ? cImports : []
  }

  private var swiftImports: [(line: Int, name: String)] {
    let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    return words.indices.filter { words[$0].text == "import" }.compactMap { index in
      let name = words[(index + 1)...].first { !kinds.contains($0.text) }
      return name.map { (words[index].line, $0.text) }
    }
  }

  /// Read from the lines as written, for the mask takes `"lua.h"` for a string.
  private var cImports: [(line: Int, name: String)] {
    lines.indices.compactMap { index in
      let parts = lines[index].split { " #\t<>\"/".contains($0) }
      let isInclude = codeLines[index].contains("#") && parts.first == "include"
      guard isInclude, let name = parts.last(where: { $0.hasSuffix(".h") }) else { return nil }
      return (index + 1, String(name))
    }
  }
}
