import DiffableTesting
import ListSupport
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("Rows are sorted as the standard library sorts, whatever their elements are")
struct RowSortingTests {
  /// An element of so many words, the first of which is its key.
  private struct Words<Rest: Equatable & Sendable>: Equatable, Sendable {
    var key: Int
    let rest: Rest
  }

  /// Its bytes must not be moved: the runtime may know their place.
  private struct Watching: Equatable, Sendable {
    let key: Int
    weak let object: Payload?

    static func == (left: Watching, right: Watching) -> Bool {
      left.key == right.key && left.object === right.object
    }
  }

  /// Sorts elements, and returns them with their old places.
  private func sort<Element: Equatable & Sendable>(
    _ elements: [Element], _ areInOrder: @escaping @Sendable (Element, Element) -> Bool
  ) -> [(element: Element, place: Int)] {
    let kernel = ElementKernel(models: Element.self)
    return elements.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress.map({ UnsafeRawPointer($0) }) else { return [] }
      var rows = buffer.indices.map { index in
        RowPlace(item: base + index * kernel.stride, element: base + index * kernel.stride)
      }
      let sorted = RowOrder(areInOrder).sort(&rows, kernel)
      return withExtendedLifetime(sorted) {
        rows.map { row in
          (
            row.element.assumingMemoryBound(to: Element.self).pointee,
            (row.item - base) / kernel.stride
          )
        }
      }
    }
  }

  private func check<Rest: Equatable & Sendable>(_ rest: (Int) -> Rest, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for count in [0, 1, 2, 5, 6, 7, 13, 64, 200] {
      for keys in [2, 20, 1_000] {
        let elements = (0..<count).map { Words(key: random.number(below: keys), rest: rest($0)) }
        for elements in [elements, elements.sorted { $0.key < $1.key }, elements.reversed()] {
          let expected = elements.enumerated().sorted { $0.element.key < $1.element.key }
          let sorted = sort(elements) { $0.key < $1.key }
          let comment: Comment = "\(count) elements, \(keys) keys, \(Rest.self), seed \(seed)"
          #expect(sorted.map(\.place) == expected.map(\.offset), comment)
          #expect(sorted.map(\.element) == expected.map(\.element), comment)
        }
      }
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `Elements of any size and alignment, and equal ones stay in order`(seed: UInt64) {
    check({ _ in Nothing() }, seed: seed)
    check({ UInt8(truncatingIfNeeded: $0) }, seed: seed)
    check({ $0 }, seed: seed)
    check({ "the title of row number \($0)" }, seed: seed)
    check({ Words(key: $0, rest: "the title of row number \($0)") }, seed: seed)
    check({ SIMD4<Int32>(repeating: Int32($0)) }, seed: seed)
    check({ Words(key: $0, rest: [[$0], [$0, $0]]) }, seed: seed)
    check(
      { number in Words(key: 0, rest: Words(key: 1, rest: Words(key: 2, rest: number))) },
      seed: seed)
    check({ (number: Int) in InlineRow(number) }, seed: seed)
  }

  private struct Nothing: Equatable, Sendable {}

  /// Larger than what is moved.
  private struct InlineRow: Equatable, Sendable {
    let words: [UInt64]
    let more: SIMD64<UInt8>
    let text: String

    init(_ number: Int) {
      words = [UInt64(number)]
      more = SIMD64(repeating: UInt8(truncatingIfNeeded: number))
      text = "the title of row number \(number)"
    }
  }

  @Test func `What elements hold is held as often as before, and released with them`() {
    let census = PayloadCensus()
    do {
      let elements = (0..<100).map { Words(key: ($0 * 37) % 10, rest: [Box(Payload(census))]) }
      let sorted = sort(elements) { $0.key < $1.key }
      #expect(sorted.count == 100 && census.population == 100)
    }
    #expect(census.population == 0)
    let objects = (0..<50).map { _ in Payload(census) }
    let watching = objects.enumerated().map { Watching(key: ($0 * 7) % 10, object: $1) }
    let sorted = sort(watching) { $0.key < $1.key }
    #expect(sorted.allSatisfy { $0.element.object === objects[$0.place] })
  }

  private struct Box: Equatable, Sendable {
    let payload: Payload

    init(_ payload: Payload) { self.payload = payload }

    static func == (left: Box, right: Box) -> Bool { left.payload === right.payload }
  }

  @Test func `A comparison that is no order loses no row`() {
    var random = SplitMix64(seed: 3)
    for count in [2, 6, 7, 50, 300] {
      let elements = (0..<count).map { _ in Words(key: random.number(below: 9), rest: "a row") }
      let coin = CallCounter()
      for sorted in [
        sort(elements) { _, _ in true }, sort(elements) { _, _ in false },
        sort(elements) { $0.key <= $1.key },
        sort(elements) { _, _ in
          coin.count()
          return (coin.value &* 0x9E37_79B9) & 4 == 0
        },
      ] {
        #expect(sorted.map(\.place).sorted() == Array(0..<count))
        #expect(sorted.allSatisfy { $0.element == elements[$0.place] })
      }
    }
  }
}
