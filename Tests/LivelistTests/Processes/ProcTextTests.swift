import Testing

@testable import livelist

@Suite("Text of /proc") struct ProcTextTests {
  private func stat(name: String) -> [UInt8] {
    Array(
      """
      1234 (\(name)) S 1 1234 1234 0 -1 4194304 98 0 0 0 250 50 0 0 20 0 1 0 108700 3133440 394 \
      18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0

      """.utf8)
  }

  @Test(
    "A name may hold anything",
    arguments: [
      "cat", "", "a b", "(sd-pam)", "a) S 1 2 3 (b", ")", "((", "日本語", "tmux: server",
    ])
  func name(_ name: String) throws {
    let stat = try #require(ProcStat(stat(name: name)))
    #expect(stat.name == name)
    #expect(stat.processorTicks == 300)
    #expect(stat.start == 108_700)
  }

  @Test("A name that is not UTF-8 is repaired, and the figures are read all the same")
  func brokenName() throws {
    var bytes = stat(name: "x")
    let place = try #require(bytes.firstIndex(of: UInt8(ascii: "x")))
    bytes[place] = 0xFF
    let stat = try #require(ProcStat(bytes))
    #expect(stat.name == "\u{FFFD}")
    #expect(stat.processorTicks == 300)
  }

  @Test("No part of a line makes a crash, and only a long enough one is read")
  func cutShort() {
    let bytes = stat(name: "a) b")
    for count in 0..<bytes.count {
      let stat = ProcStat(bytes[..<count])
      if let stat { #expect(stat.processorTicks == 300) }
    }
    #expect(ProcStat([]) == nil)
    #expect(ProcStat(Array(") (".utf8)) == nil)
  }

  @Test(
    "Numbers that do not fit are no numbers",
    arguments: [
      ("0", 0), ("9223372036854775807", Int.max), ("9223372036854775808", nil), ("", nil),
      ("-1", nil), ("1a", nil), ("٣", nil),
    ])
  func numbers(_ text: String, _ expected: Int?) {
    #expect(Int(ascii: Array(text.utf8)) == expected)
  }

  @Test(
    "Resident memory is the second number",
    arguments: [
      ("765 438 410 5 0 123 0\n", 438), ("765 438", 438), ("765", nil), ("", nil), ("a b c", nil),
    ])
  func statm(_ text: String, _ expected: Int?) {
    #expect(ProcText.residentPages(inStatm: Array(text.utf8)) == expected)
  }

  @Test(
    "Arguments become words",
    arguments: [
      ("sleep\u{0}5\u{0}", "sleep 5"), ("a\u{0}\u{0}b\u{0}", "a  b"),
      ("sshd: root@pts/0", "sshd: root@pts/0"),
      ("title   \u{0}\u{0}\u{0}", "title"), ("", nil), ("\u{0}\u{0}", nil), (" \u{0}", nil),
    ])
  func cmdline(_ text: String, _ expected: String?) {
    #expect(ProcText.command(inCmdline: Array(text.utf8)) == expected)
  }

  @Test("Used memory is what is not available")
  func meminfo() {
    let text = "MemTotal:       24684092 kB\nMemFree: 1 kB\nMemAvailable:   24363428 kB\n"
    #expect(
      ProcText.memory(inMeminfo: Array(text.utf8))
        == MachineMemory(total: 24_684_092 * 1024, used: 320_664 * 1024))
    #expect(ProcText.memory(inMeminfo: Array("MemTotal: 5 kB\n".utf8)) == nil)
    #expect(ProcText.memory(inMeminfo: Array("MemTotal: 5 kB\nMemAvailable: 6 kB\n".utf8)) == nil)
  }
}
