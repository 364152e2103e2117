import Foundation
import Testing

@Suite("livelist follow") struct FollowCommandTests {
  @Test("shows what livelist stream writes, through a pipe")
  func pipe() throws {
    let middle = Pipe()
    let stream = try PipedCommand(["stream"], writing: middle)
    let follow = try PipedCommand(["follow"], reading: middle)
    for number in 1...3 {
      let items = (0..<number).map { "\"i\($0)\"" }.joined(separator: ",")
      try stream.write(#"{"sections":[{"id":"s","items":[\#(items)]}]}"# + "\n")
      // It is shown before the next line comes.
      let shown = try follow.read { $0.split(separator: "\n").count >= number + 2 }
      #expect(shown.hasSuffix("    i\(number - 1)\n") || shown.hasSuffix("+   i\(number - 1)\n"))
    }
    try stream.close()
    #expect(try stream.end() == 0)
    #expect(try follow.end() == 0)
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
