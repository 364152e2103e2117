import DiffableTesting
import Testing
import TestScope

@testable import livelist

@Suite("A table of processes") struct ProcessTableTests {
  /// Numbers are used again, and parents are read at another moment than their children.
  @Test("Parents and sums of any few processes", arguments: 0..<UInt64(rounds(400)))
  func parents(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var listed: [ProcessID: ListedProcess] = [:]
    for _ in 0..<2 + random.number(below: 5) {
      let id = ProcessID(
        number: Int32(1 + random.number(below: 4)), start: UInt64(random.number(below: 4)))
      listed[id] = ListedProcess(
        id: id, parent: Int32(random.number(below: 5)), user: "ann", command: "a")
    }
    let memory = listed.mapValues { _ in random.number(below: 9) }
    var table = ProcessTable()
    table.list(Array(listed.values))
    table.set(\.memory, to: memory)
    // A second look changes nothing.
    for _ in 0..<2 { table.complete() }

    for (id, process) in listed {
      let newest = listed.keys.filter { $0.number == process.parent }.max { $0.start < $1.start }
      let expected = newest.flatMap { $0 == id || $0.start > id.start ? nil : $0 }
      #expect(table.records[id]?.parent == expected, "seed \(seed): \(id)")
    }
    /// Whether a process is above another one, or the same.
    func isAbove(_ above: ProcessID, _ id: ProcessID) -> Bool {
      var (next, seen): (ProcessID?, Set<ProcessID>) = (id, [])
      while let process = next, seen.insert(process).inserted {
        if process == above { return true }
        next = table.records[process]?.parent
      }
      return false
    }
    for above in listed.keys {
      let below = listed.keys.filter { isAbove(above, $0) }
      #expect(table.records[above]?.total.processes == below.count, "seed \(seed): \(above)")
      #expect(
        table.records[above]?.total.memory == below.reduce(0) { $0 + (memory[$1] ?? 0) },
        "seed \(seed): \(above)")
    }
  }

  @Test("Columns are shown in their order as long as a command has its least space")
  func columns() {
    for width in 0...90 {
      for showsUser in [false, true] {
        let columns = ProcessColumns(width: width, showsUser: showsUser)
        // The mark, the number, and a gap after it.
        var rest = width - 2 - 7 - 1
        var shown: [Bool] = []
        for (column, isWanted) in [(7, true), (10, true), (10, showsUser)] {
          let fits = isWanted && rest - column - 1 >= 12
          if fits { rest -= column + 1 }
          shown.append(fits)
        }
        #expect(
          [columns.showsProcessor, columns.showsMemory, columns.showsUser] == shown, "\(width)")
        #expect(columns.command == max(0, rest), "\(width)")
      }
    }
  }
}
