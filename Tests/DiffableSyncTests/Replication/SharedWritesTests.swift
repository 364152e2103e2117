import Testing

@testable import Diffable
@testable import DiffableSync

@Suite("Writes that wait for a log")
struct SharedWritesTests {
  /// Offers all writes that wait, and returns them in their order.
  private func offer(_ writes: inout SharedWrites<Int>) -> [Int] {
    var order: [Int] = []
    while let write = writes.take(), writes.join(write, WriteID(), size: 1) {
      order.append(write.change)
    }
    return order
  }

  @Test("Those that were offered in vain come before those that came later", arguments: 1...3)
  func again(count: Int) {
    var writes = SharedWrites<Int>()
    for number in 0..<count { writes.add(.init(number: UInt64(number), number)) }
    #expect(offer(&writes) == Array(0..<count))
    for number in count..<count + 2 { writes.add(.init(number: UInt64(number), number)) }
    #expect(writes.end(.lost, tries: 9).isEmpty)
    #expect(offer(&writes) == Array(0..<count + 2))
  }
}
