import Foundation
import Testing

@Suite("livelist follow") struct FollowCommandTests {
  @Test("shows what livelist stream writes, through a pipe")
  func pipe() async throws {
    let (stream, follow) = (Process(), Process())
    let (input, middle, output) = (Pipe(), Pipe(), Pipe())
    for (process, name) in [(stream, "stream"), (follow, "follow")] {
      process.executableURL = try BuiltCommand.executable()
      process.arguments = [name]
    }
    stream.standardInput = input
    stream.standardOutput = middle
    follow.standardInput = middle
    follow.standardOutput = output
    try stream.run()
    try follow.run()
    for number in 1...3 {
      let items = (0..<number).map { "\"i\($0)\"" }.joined(separator: ",")
      let line = #"{"sections":[{"id":"s","items":[\#(items)]}]}"# + "\n"
      try input.fileHandleForWriting.write(contentsOf: Data(line.utf8))
      // It is shown before the next line comes.
      var shown = ""
      while shown.split(separator: "\n").count < number + 2 {
        let piece = output.fileHandleForReading.availableData
        try #require(!piece.isEmpty, "the command has ended")
        shown += String(decoding: piece, as: UTF8.self)
      }
      #expect(shown.hasSuffix("    i\(number - 1)\n") || shown.hasSuffix("+   i\(number - 1)\n"))
    }
    try input.fileHandleForWriting.close()
    stream.waitUntilExit()
    follow.waitUntilExit()
    #expect(stream.terminationStatus == 0 && follow.terminationStatus == 0)
  }

  @Test("ends with status 1 if any line was not taken, and says which")
  func status() async throws {
    let reset = StreamLine.reset(1, sections: 1, items: 0, #"[{"id":"A"}]"#)
    let change = StreamLine.change(1, 2, sections: 0, items: 0, #"{"sectionDeletes":[[0,1]]}"#)
    let outcome = try await BuiltCommand.run(
      ["follow"], input: Data("\(reset)\n\n{\n\(change)\n".utf8))
    #expect(outcome.status == 1)
    #expect(
      outcome.lines == [
        "r1: 0 items in 1 section", "  A",
        "r1 → r2: 1 sections deleted; 0 items in 0 sections",
      ])
    #expect(outcome.errors.hasPrefix("livelist: line 3: The text is not a delta"))
    let fine = try await BuiltCommand.run(["follow"], input: Data(reset.utf8))
    #expect(fine.status == 0 && fine.errors == "")
    let nothing = try await BuiltCommand.run(["follow"])
    #expect(nothing.status == 0 && nothing.output.isEmpty)
  }
}
