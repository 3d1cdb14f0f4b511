/// One example of every construct of a pipeline file, word for word as the contract shows it.
enum FullExample {
  /// The file.
  static let text = #"""
    param "keep_uuid" { default = true, help = "false: a store that left iCloud must not be \#
    taken for the old one" }

    pipeline "Bookmarks, all versions" {
      format = 1,
      models = { "App.xcdatamodeld", "Sync.xcdatamodeld" },          -- merged, as the app does
      accept = { "App", "App 2", "App 3" },                          -- versions this file \#
    takes; default: all that are known
      target = "App 4",
    }

    stage "detect" { script = "which.lua" }                          -- optional: returns a \#
    version's name
    stage "open"   { wait = "10 s", space = "check" }

    step "App 3" {                                                   -- from App or App 2 to \#
    App 3
      stage "copy" {
        rename { entity = "Bookmark", to = "Link", attributes = { href = "url" } },
        drop   { "Link.legacyCode", "Visit" },
        map    { entity = "Folder", attributes = { title = from "name", order = 0, depth = \#
    convert("depth", "Integer 32") } },
        where  { entity = "Draft", "savedAt IS NOT NULL" },          -- a condition over \#
    attribute names; the objects left out are counted
        one    { "Item.boxes", keep = "first" },                     -- to-many becoming to-one
        accept_loss = { "Photo.exif" },
      },
    }

    step "App 4" {
      stage "copy" { chunk = { rows = 10000, bytes = "8 MiB", time = "500 ms" }, start = \#
    "auto" },
      stage "transform" { entity = "Item", script = "split.lua", on_error = "reject", rejects \#
    = 100, params = { size = 160 } },
    }

    stage "metadata" { remove = { "com.apple.coredata.ubiquity.*" }, set = { \#
    ["MyApp.migrated"] = true }, uuid = param.keep_uuid and "keep" or "new", history = "keep" }
    stage "validate" { strict = false, expect = {
      { "every picture arrived", source = "count(Item where image != nil)", destination = \#
    "count(Photo)" },
      { "no item without its box", destination = "count(Item where box = nil)", equals = 0 },
    } }
    stage "verify" { rows = "all" }
    stage "backup" { to = "backups/before-4" }
    stage "hook"   { on = { "swapped", "failed" }, command = { "notify", "--text", "${status}" \#
    } }
    stage "swap"   { backup = { keep = 3 }, method = "replace", journal = "same" }
    """#
}
