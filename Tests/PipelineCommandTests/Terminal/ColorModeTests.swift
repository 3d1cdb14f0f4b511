import StorePipeline
import Testing

@testable import pipeline

@Suite("Colour mode")
struct ColorModeTests {
  @Test(
    "colour is for a person who has not refused it",
    arguments: [
      (ColorMode.auto, true, [:], true),
      (.auto, false, [:], false),
      (.auto, true, ["NO_COLOR": "1"], false),
      (.auto, true, ["NO_COLOR": ""], true),
      (.auto, true, ["TERM": "dumb"], false),
      (.auto, true, ["TERM": "xterm"], true),
      (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true),
      (.never, true, [:], false),
    ] as [(ColorMode, Bool, [String: String], Bool)])
  func rules(mode: ColorMode, isTerminal: Bool, environment: [String: String], isOn: Bool) {
    #expect(Style(mode, isTerminal: isTerminal, environment: environment) == Style(isOn: isOn))
  }

  @Test("each stream is judged by itself") func streams() {
    let recorder = Recorder()
    let console = Console(
      output: recorder.stream(), errors: recorder.stream(isTerminal: true), environment: [:])
    #expect(!console.outputStyle.isOn && console.errorStyle.isOn)
  }

  @Test(
    "the mode is found among the words",
    arguments: [
      (["--color", "always"], ColorMode.always), (["--color=never", "x"], .never),
      (["--color=never", "--color", "always"], .always), (["--", "--color=always"], .auto),
      (["--color"], .auto), (["--color=pink"], .auto), ([], .auto),
    ])
  func asked(words: [String], mode: ColorMode) {
    #expect(ColorMode.asked(in: words) == mode)
  }
}
