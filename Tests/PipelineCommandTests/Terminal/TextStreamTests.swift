import OperatingSystem
import Testing

@testable import pipeline

@Suite("Text stream")
struct TextStreamTests {
  @Test(
    "the width is the terminal's, else COLUMNS, else 80",
    arguments: [
      (132, [:], 132), (132, ["COLUMNS": "40"], 132), (nil, ["COLUMNS": "40"], 40),
      (nil, ["COLUMNS": "0"], 80), (nil, ["COLUMNS": "wide"], 80), (nil, [:], 80),
    ] as [(Int?, [String: String], Int)])
  func width(columns: Int?, environment: [String: String], width: Int) {
    #expect(Recorder().stream(columns: columns).width(environment) == width)
  }

  @Test("text waits until there is enough of it") func capacity() {
    let recorder = Recorder()
    let stream = recorder.stream(capacity: 4)
    stream.write("1234")
    #expect(recorder.text == "")
    stream.write("5")
    #expect(recorder.text == "12345")
    stream.write("6")
    stream.flush()
    #expect(recorder.text == "123456")
  }

  @Test("what is written stands above the status line") func status() {
    let recorder = Recorder()
    let stream = recorder.stream(isTerminal: true)
    stream.show(status: "half")
    stream.write("note\n")
    stream.show(status: "")
    stream.write("end\n")
    #expect(recorder.text == "\r\u{1B}[Khalf\r\u{1B}[Knote\nhalf\r\u{1B}[Kend\n")
  }

  @Test("after a failure nothing more is tried") func failure() {
    let stream = TextStream(isTerminal: false) { _ in throw SystemError("write", 32) }
    stream.write("a")
    #expect(stream.failure as? SystemError == SystemError("write", 32))
  }
}
