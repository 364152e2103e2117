import DiffableTesting
import TestScope
import Testing

@testable import Diffable
@testable import DiffableEngine

/// Versions of a model with the properties `a` and `b`, each 0 at first.
@Suite("What an edit overrules that is made again on a newer model") struct OverrulingTests {
  private struct Form: Equatable {
    var a = 0
    var b = 0
    /// Cannot be compared, so nothing is said of it.
    var action: @Sendable () -> Void = {}

    static func == (left: Form, right: Form) -> Bool { left.a == right.a && left.b == right.b }
  }

  private enum Choice: Equatable { case one(Int), other }

  private func overrules<Model: Equatable & Sendable>(
    _ base: Model, _ theirs: Model, _ edit: (inout Model) -> Void
  ) -> Bool {
    var (former, now) = (base, theirs)
    edit(&former)
    edit(&now)
    return withUnsafePointer(to: base) { base in
      withUnsafePointer(to: theirs) { theirs in
        withUnsafePointer(to: former) { former in
          withUnsafePointer(to: now) { now in
            ElementKernel(models: Model.self)
              .overrules(base: base, theirs: theirs, former: former, now: now)
          }
        }
      }
    }
  }

  @Test("A property counts if both have changed it and the edit gives the same value again")
  func properties() {
    for a in [0, 1, 5] {
      for b in [0, 1] {
        guard a + b > 0 else { continue }
        let theirs = Form(a: a, b: b)
        #expect(overrules(Form(), theirs) { $0.a = 5 } == (a == 1 || b == 0), "\(theirs)")
        #expect(!overrules(Form(), theirs) { $0.a += 5 }, "\(theirs)")
        #expect(overrules(Form(), theirs) { $0 = Form(a: 7, b: 7) }, "\(theirs)")
      }
    }
  }

  @Test("Other models are compared as a whole")
  func wholeModels() {
    #expect(overrules(Choice.one(1), .one(2)) { $0 = .other })
    #expect(!overrules(Choice.one(1), .one(2)) { if case .one(let n) = $0 { $0 = .one(n + 1) } })
    #expect(overrules(1, 2) { $0 = 3 })
    #expect(!overrules(1, 2) { $0 += 3 })
  }
}

@Suite("Models of the rows of a section") struct RowModelsTests {
  private let kernel = ElementKernel(Int.self)
  private let models = ElementKernel(models: String.self)

  /// Models that are made where they will be.
  private func made(_ titles: [String]) -> RowModels {
    RowModels(models, count: titles.count) { rows, memory in
      let place = memory.assumingMemoryBound(to: String.self)
      for (number, row) in rows.enumerated() { (place + number).initialize(to: titles[row]) }
    }
  }

  private func titles(of tree: TypedTree<Int>) throws -> [String] {
    try tree.base.leaves.flatMap { leaf in
      let span = try #require(leaf.models)
      return withExtendedLifetime(leaf) {
        (0..<leaf.count).map {
          span.address($0).assumingMemoryBound(to: String.self).pointee
        }
      }
    }
  }

  @Test(
    "If they are made in the leaves, it is as if they had been in an array",
    arguments: [TreeShape(leafCapacity: 3, fanout: 2), .items], 0..<rounds(10 as UInt64))
  func laws(shape: TreeShape, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var elements: [Int] = []
    var tree = TypedTree<Int>(shape: shape, kernel: kernel)
    var keptLeaves = 0
    for step in 0..<40 {
      let comment: Comment = "seed \(seed), step \(step)"
      switch random.number(below: 4) {
      case 0: elements = Array(0..<random.number(below: 200)).shuffled(using: &random)
      case 1: elements.removeAll { _ in random.chance(oneIn: 9) }
      case 2: elements.insert(1000 + step, at: random.number(below: elements.count + 1))
      default: break
      }
      // Some models change, others do not.
      let version = random.chance(oneIn: 2) ? step : 0
      let titles = elements.map { $0 % 17 == 0 ? "\($0) in \(version)" : "\($0)" }
      let old = Dictionary(uniqueKeysWithValues: tree.base.leaves.map { ($0.identity, $0) })
      let (inPlace, _) = tree.updated(to: elements, models: made(titles))
      let (copied, _) = tree.updated(
        to: elements, models: RowModels(HashedElements(hashing: titles, models)))
      #expect(inPlace.elements == elements, comment)
      #expect(try self.titles(of: inPlace) == titles, comment)
      let kept = [inPlace, copied].map { $0.base.leaves.map { old[$0.identity] != nil } }
      #expect(kept[0] == kept[1], comment)
      keptLeaves += kept[0].count { $0 }
      made(titles).withSpan { span in
        #expect(
          titles.indices.allSatisfy {
            span.address($0).assumingMemoryBound(to: String.self).pointee == titles[$0]
          }, comment)
      }
      tree = inPlace
      tree.base._checkInvariants()
    }
    #expect(keptLeaves > 0, "seed \(seed)")
  }
}
