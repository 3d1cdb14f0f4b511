import Foundation

/// The migrations, each done in every way there is.
extension Course {
  /// M1: an attribute renamed, one dropped, one new with a default, all else as it was.
  func rename() throws -> Race {
    Race(
      name: "M1", title: "M1, an attribute renamed, one dropped, one new: W1",
      source: try store("things", rows: options.rows), baseline: Names.insertSelect,
      contenders: [
        shell(Names.insertSelect, "m1-insert-select", \.material),
        shell("sqlite3, unchanged tables by raw transfer", "m1-raw-transfer", \.material),
        shell("cp, then ALTER TABLE", "m1-alter", { _ in "cp" }),
        shell("VACUUM INTO, then ALTER TABLE", "m1-alter", { _ in "vacuum" }),
        copying,
        python(Names.sqliteUtils, "m1-sqlite-utils", needs: "sqlite_utils"),
        python("Alembic, batch", "m1-alembic", needs: "alembic"),
        staged(Names.staged, "rename"), complete(Names.complete, "rename", tells: true),
        dryRun(Names.dryRun, "rename"),
      ],
      check: ContentCheck(tables: Self.renamed))
  }

  /// M2: M1, and each object's name split, its note tidied, its price made a text.
  func rewrite() throws -> Race {
    Race(
      name: "M2", title: "M2, each object through a script: W1",
      source: try store("things", rows: options.rows), baseline: Names.c,
      contenders: [
        c(Names.c, "lua"), c("C and SQLite, without Lua", "c"),
        python("Python, executemany", "m2", needs: "sqlite3", ["executemany"]),
        python("Python, functions of SQL", "m2", needs: "sqlite3", ["functions"]),
        lua("LuaJIT and its FFI", "luajit", "m2-luajit", needs: "ffi"),
        lua("Lua and lua-sql", "lua5.4", "m2-luasql", needs: "luasql.sqlite3"),
        python(Names.sqliteUtils, "m2-sqlite-utils", needs: "sqlite_utils"),
        staged(Names.one, "rewrite", workers: 1), staged(Names.two, "rewrite", workers: 2),
        complete(Names.complete, "rewrite", tells: true),
      ],
      check: ContentCheck(
        tables: [
          .init(
            name: "ZITEM", keys: ["Z_PK"],
            columns: [
              "ZSTATUS", "ZBOX", "ZCREATED", "ZMASS", "ZFIRSTNAME", "ZLASTNAME", "ZNOTE",
              "ZPRICETEXT",
            ])
        ] + Self.unchanged))
  }

  /// M1 on rows of sixty columns.
  func wide() throws -> Race {
    Race(
      name: "M1 wide", title: "M1 on rows of sixty columns: W3",
      source: try store("wide", rows: max(1, options.rows / 5)), baseline: Names.insertSelect,
      contenders: [
        shell(Names.insertSelect, "m1-wide", \.material), staged(Names.staged, "rename"),
        complete(Names.complete, "rename", tells: true),
      ],
      check: ContentCheck(tables: [
        .init(
          name: "ZRECORD", keys: ["Z_PK"],
          columns: ["ZNAME", "ZNOTE", "ZMASS", "ZSTATUS", "ZA00", "ZA20", "ZA52"])
      ]))
  }

  /// M3: pictures get an entity of their own.
  func pictures() throws -> Race {
    Race(
      name: "M3", title: "M3, pictures into an entity of their own: W2",
      source: try store("pictures", rows: options.pictures), baseline: Names.copy,
      contenders: [
        copying, shell("sqlite3 INSERT ... SELECT", "m3-insert-select", \.material),
        staged(Names.staged, "move", workers: 2), complete(Names.complete, "move", tells: true),
      ],
      check: ContentCheck(tables: Self.moved))
  }

  /// M3 with a thumbnail of each picture.
  func thumbnails() throws -> Race {
    var ours = staged(Names.staged, "thumbnails", workers: 2)
    ours.lack = try hasImages() ? nil : "this build has no images"
    return Race(
      name: "M3 thumbnails", title: "M3 with a thumbnail of each picture: W2",
      source: try store("pictures", rows: options.pictures), baseline: Names.pillow,
      contenders: [python(Names.pillow, "m3-pillow", needs: "PIL"), ours],
      // What the thumbnails show depends on who scales: they are only counted.
      check: ContentCheck(
        tables: Self.moved + [.init(name: "ZTHUMBNAIL", keys: ["Z_PK"], columns: ["ZITEM"])]))
  }

  /// M1 of a store of 172 KB, as many users have.
  func small() throws -> Race {
    Race(
      name: "small", title: "M1 on a store of 172 KB", source: try smallStore(),
      baseline: Names.complete, contenders: [complete(Names.complete, "rename")],
      check: ContentCheck(tables: []), keepsFiles: true)
  }

  /// A label for each word, looked up first or made one of later.
  func find() throws -> Race {
    Race(
      name: "find", title: "\(Format.count(options.keys)) keys looked up or made: W5",
      source: try store("keys", rows: options.keys), baseline: Names.dedupe,
      contenders: [complete(Names.dedupe, "dedupe"), complete(Names.find, "find")],
      check: ContentCheck(tables: [
        .init(name: "ZITEM", keys: ["Z_PK"], columns: ["ZNAME"]),
        .init(name: "ZLABEL", keys: ["ZNAME"]),
      ]), mostRounds: 3)
  }

  /// A store of things that is as small as most are.
  func smallStore() throws -> URL { try store("things", rows: 500) }

  /// Whether the script of the thumbnails runs.
  private func hasImages() throws -> Bool {
    let source = try store("pictures", rows: 1)
    let (folder, result) = (source.deletingLastPathComponent().path, source.path + ".new")
    return Meter.succeeds([
      pipeline, "run", "\(folder)/thumbnails.pipeline", source.path, "--output", result,
    ])
  }

  /// The tables of things after M1.
  static let renamed =
    [
      ContentCheck.Table(
        name: "ZITEM", keys: ["Z_PK"],
        columns: ["ZPRICE", "ZSTATUS", "ZBOX", "ZCREATED", "ZMASS", "ZNAME", "ZNOTE"])
    ] + unchanged

  private static let unchanged: [ContentCheck.Table] = [
    .init(name: "ZBOX", keys: ["Z_PK"], columns: ["ZNAME"]),
    .init(name: "ZTAG", keys: ["Z_PK"], columns: ["ZNAME"]),
    .init(name: "Z_2TAGS", keys: ["Z_2ITEMS", "Z_3TAGS"]),
  ]

  private static let moved: [ContentCheck.Table] = [
    .init(name: "ZBOX", keys: ["Z_PK"], columns: ["ZNAME"]),
    .init(name: "ZITEM", keys: ["Z_PK"], columns: ["ZNAME", "ZBOX", "ZPICTURE"]),
    .init(name: "ZPICTURE", keys: ["Z_PK"], columns: ["ZITEM", "ZDATA"]),
  ]
}
