import DiffableTesting
import Testing

@testable import Diffable
@testable import DiffableEngine

@Suite("Elements have the numbers by which they came")
struct ElementIndexTests {
  @Test func `As a dictionary has them`() {
    let kernel = ElementKernel(Int.self)
    var random = SplitMix64(seed: 11)
    var index = ElementIndex(kernel)
    var numbers: [Int: Int] = [:]
    for _ in 0..<2_000 {
      let element = random.number(below: 3_000)
      #expect(index.number(of: element) == numbers[element])
      guard numbers[element] == nil else { continue }
      numbers[element] = numbers.count
      withUnsafePointer(to: element) { index.set($0, hash: element.storedHash) }
    }
    #expect(index.count == numbers.count)
    #expect(numbers.allSatisfy { index.number(of: $0.key) == $0.value })
  }

  @Test func `Made of many at once, if each is there once`() {
    let kernel = ElementKernel(String.self)
    let names = (0..<100).map { "row \($0)" }
    let index = ElementIndex(HashedElements(hashing: names, kernel))
    #expect(names.indices.allSatisfy { index?.number(of: names[$0]) == $0 })
    #expect(index?.number(of: "row 100") == .some(nil))
    #expect(ElementIndex(HashedElements(hashing: names + ["row 7"], kernel)) == nil)
    #expect(ElementIndex(HashedElements(hashing: [String](), kernel))?.number(of: "") == .some(nil))
  }

  @Test func `What is added again has the number of the last time`() {
    let kernel = ElementKernel(Int.self)
    var random = SplitMix64(seed: 12)
    var index = ElementIndex(kernel)
    var numbers: [Int: Int] = [:]
    for number in 0..<2_000 {
      let element = random.number(below: 700)
      withUnsafePointer(to: element) { index.set($0, hash: element.storedHash) }
      numbers[element] = number
      #expect(index.count == number + 1 && index.distinctCount == numbers.count)
    }
    #expect((0..<700).allSatisfy { index.number(of: $0) == numbers[$0] })
    // What is new as well.
    for element in 700..<3_000 {
      withUnsafePointer(to: element) { index.set($0, hash: element.storedHash) }
      numbers[element] = index.count - 1
    }
    #expect((0..<3_000).allSatisfy { index.number(of: $0) == numbers[$0] })
    #expect(index.distinctCount == numbers.count)
  }
}
