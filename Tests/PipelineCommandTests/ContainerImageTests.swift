import Foundation
import TestSupport
import Testing

/// The Dockerfile, step by step, where there is no Docker.
@Suite("The container image", .temporaryFolder)
struct ContainerImageTests {
  /// A line of a Dockerfile, put together from those that a backslash continues.
  private struct Step {
    var word: String
    var rest: String
  }

  private let steps: [Step]

  init() throws {
    let file = ManyStoresPageTests.project.appending(path: "Dockerfile")
    let text = try String(contentsOf: file, encoding: .utf8).replacing("\\\n", with: " ")
    steps = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let word = line.prefix { $0 != " " }
      return Step(word: String(word), rest: line.dropFirst(word.count + 1).description)
    }
  }

  /// The steps of the image that builds, and those of the one that runs.
  private var stages: (build: ArraySlice<Step>, run: ArraySlice<Step>) {
    let second = steps.lastIndex { $0.word == "FROM" } ?? steps.endIndex
    return (steps[..<second], steps[second...])
  }

  @Test("it runs as a user without rights, and starts the command") func user() throws {
    let user = try #require(stages.run.last { $0.word == "USER" }?.rest)
    let number = try #require(Int(user.prefix { $0 != ":" }))
    #expect(number > 0)
    #expect(stages.run.last { $0.word == "ENTRYPOINT" }?.rest == #"["pipeline"]"#)
    #expect(stages.run.first?.rest.hasPrefix("debian:") == true)
  }

  @Test(
    "its steps put the command where the image takes it from, and it runs there",
    .enabled(if: Tool.isThere("apt-get"), "this is no Debian"))
  func build() throws {
    let lines = stages.build.filter { $0.word == "RUN" }.map(\.rest)
    #expect(lines.count == 2)
    // What is built in the image is here already: the compiler answers with the program under test.
    let made = try Tool.shell(
      """
      set -e
      work=$PWD
      mkdir bin
      cat > bin/swift <<END
      #!/bin/sh
      case "\\$*" in
      --version) echo "Swift version 6.2" ;;
      *--show-bin-path*) dirname "$(command -v pipeline)" ;;
      esac
      END
      chmod +x bin/swift
      PATH=$work/bin:$PATH
      cd '\(ManyStoresPageTests.project.path)'
      \(lines.joined(separator: "\n").replacing("=/image", with: "=$work/image"))
      """)
    #expect(made.status == 0, "\(made.output)\(made.errors)")
    let copied = try #require(stages.run.first { $0.word == "COPY" }?.rest)
    #expect(copied == "--from=build /image /")
    let said = try Tool.shell("image/usr/bin/pipeline --version | head -n 1; du -sk image")
    #expect(said.output.hasPrefix("pipeline "))
    print("The image's own files, in KiB: \(said.output.split(separator: "\n").last ?? "")")
  }

  @Test(
    "its size is the sum of the command's files, its libraries and Debian's minimal system",
    .enabled(if: Tool.says("apt-cache show libsqlite3-0"), "apt-get knows no packages here"))
  func size() throws {
    let script = ManyStoresPageTests.project.appending(path: ".ci/image-size").path
    let said = try Tool.shell("'\(script)' \"$(command -v pipeline)\"")
    #expect(said.status == 0 && said.errors == "", "\(said)")
    let sizes = said.output.split(separator: "\n").compactMap { line in
      line.split(separator: " ").dropLast().last.flatMap { Int($0) }
    }
    try #require(sizes.count == 4, "\(said)")
    #expect(sizes.allSatisfy { $0 > 0 })
    // Each is rounded down.
    #expect((0...3).contains(sizes[3] - sizes[0] - sizes[1] - sizes[2]))
    print(said.output)
  }

  @Test(
    "each library that the command needs is in a package that the image installs",
    .enabled(if: Tool.isThere("dpkg") && Tool.isThere("objdump"), "dpkg or objdump is missing"))
  func libraries() throws {
    let install = try #require(stages.run.first { $0.rest.contains("apt-get install") }?.rest)
    let pictures = try #require(steps.first { $0.word == "RUN" && $0.rest.contains("apt-get") })
    #expect(pictures.rest.contains("$PICTURES"))
    let words = Set((install + " libjpeg62-turbo").split(separator: " ").map(String.init))
    let needed = try Tool.shell(
      """
      PATH=$PATH:/sbin
      objdump -p "$(command -v pipeline)" | sed -n 's/^ *NEEDED *//p' | while read -r name; do
        file=$(ldconfig -p | sed -n "s|^[[:space:]]*$name .*=> ||p" | head -n 1)
        [ -n "$file" ] || continue
        real=$(readlink -f "$file")
        dpkg -S "$real" 2>/dev/null || dpkg -S "${real#/usr}" 2>/dev/null || true
      done | cut -d : -f 1 | sort -u
      """)
    let packages = Set(needed.output.split(separator: "\n").map(String.init))
    #expect(packages.contains("libsqlite3-0"))
    // Debian itself is not there without the first two. The image's build links the others in, from
    // the archives that come with their headers: see .ci/linked.
    let others = packages.subtracting(words).subtracting(["libc6", "libgcc-s1"])
    #expect(others.subtracting(["libssl3", "libexpat1"]) == [])
  }
}
