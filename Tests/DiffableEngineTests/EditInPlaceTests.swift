import DiffableTesting
import ListSupport
import Testing
import TestScope

@testable import Diffable
@testable import DiffableEngine

/// Laws of edits in place: they do to a tree what they do to an array, the table follows, and versions
/// that somebody holds stay what they were.
@Suite("Edits in place") struct EditInPlaceTests {
  private typealias Counted = CountedElement

  /// A shape, and whether elements have models.
  typealias Kind = (shape: TreeShape, hasModels: Bool)

  static let kinds: [Kind] = [
    (TreeShape(leafCapacity: 4, fanout: 2), false), (TreeShape(leafCapacity: 8, fanout: 3), false),
    (.items, false), (TreeShape(leafCapacity: 8, fanout: 3), true), (.items, true),
  ]

  @Test(
    "Any edits, whoever holds a version; one that cannot keep models changes nothing",
    arguments: kinds.indices, [1, 3, 20])
  func randomly(kind: Int, versionEvery period: Int) throws {
    let (shape, hasModels) = Self.kinds[kind]
    var random = SplitMix64(seed: UInt64(period))
    let census = PayloadCensus()
    do {
      let (kernel, models) = (ElementKernel(Counted.self), ElementKernel(models: Counted.self))
      let section = SectionKey(rawValue: 7)
      /// The model of an element: not the element itself, so that a mix-up shows.
      func model(of number: Int) -> Counted { Counted(-number, census) }
      var elements = hasModels ? Array(0..<40) : []
      let start = HashedElements(hashing: elements.map { Counted($0, census) }, kernel)
      let shown = HashedElements(hashing: elements.map(model), models)
      var tree = OrderTree(shape: shape, kernel: kernel)
      if hasModels {
        tree = withExtendedLifetime(shown) {
          let span = ModelSpan(kernel: models, first: shown.span.first)
          return OrderTree(
            start, shape: shape, models: ModelPieces(span, from: 0, count: elements.count))
        }
      }
      var table = IdentityTable()
      var filed = IdentityChanges()
      tree.root?.forEachLeaf { filed.inserted.append($0, section: section) }
      table.insert(filed.inserted) { _ in }
      var versions: [(tree: OrderTree, elements: [Int])] = []
      var refusedRemovals = 0
      var next = elements.count
      for step in 0..<rounds(600, least: 150) {
        let comment: Comment = "seed \(period), step \(step)"
        if step % period == 0 { versions.append((tree, elements)) }
        if versions.count > 5 { versions.removeFirst() }
        let grows =
          hasModels
          ? elements.count < 200 && random.chance(oneIn: 8) == (step % 150 < 75)
          : !random.chance(oneIn: step % 200 < 100 ? 4 : 2)
        let changes: IdentityChanges?
        if grows || elements.isEmpty {
          let place = random.number(below: elements.count + 1)
          let most = hasModels && random.chance(oneIn: 8) ? 100 : 3
          let new = (0..<1 + random.number(below: most)).map { next + $0 }
          next += new.count
          let content = HashedElements(hashing: new.map { Counted($0, census) }, kernel)
          let shown = HashedElements(hashing: new.map(model), models)
          changes = withExtendedLifetime((content, shown)) {
            let span = hasModels ? ModelSpan(kernel: models, first: shown.span.first) : nil
            return tree.insert(content.span, span, at: place, section: section)
          }
          #expect(changes != nil, comment)
          elements.insert(contentsOf: new, at: place)
        } else {
          let place = random.number(below: elements.count)
          changes =
            hasModels
            ? tree.removeInPlace(at: place, keepingModels: true, section: section)
            : tree.remove(at: [place], section: section)
          if changes == nil { refusedRemovals += 1 } else { elements.remove(at: place) }
        }
        table.remove(changes?.removed ?? [])
        table.insert(changes?.inserted ?? []) { _ in }
        #expect(
          TypedTree<Counted>(tree).faults(expecting: elements.map { Counted($0, census) }) == [],
          comment)
        #expect(table.count == elements.count, comment)
        for version in versions + [(tree, elements)] {
          #expect(Self.elements(of: version.tree) == version.elements, comment)
          guard hasModels else { continue }
          #expect(try Self.models(of: version.tree) == version.elements.map { -$0 }, comment)
        }
        guard let some = random.element(of: elements) else { continue }
        let sought = Counted(some, census)
        let found = withUnsafePointer(to: sought) {
          tree.positions(of: $0, hash: sought.storedHash, in: table)
        }
        #expect(found == [elements.firstIndex(of: some)], comment)
      }
      #expect(
        refusedRemovals > 0 || !hasModels || shape.leafCapacity > 8, "no leaf was too thin")
    }
    #expect(census.population == 0)
  }

  @Test("Where no labels are left, an insert that keeps models changes nothing")
  func labelsUsedUp() throws {
    let (kernel, models) = (ElementKernel(Int.self), ElementKernel(models: Int.self))
    let first = HashedElements(hashing: [0, 1], kernel)
    let section = SectionKey(rawValue: 1)
    var tree = withExtendedLifetime(first) {
      let span = ModelSpan(kernel: models, first: first.span.first)
      return OrderTree(
        first, shape: TreeShape(leafCapacity: 4, fanout: 3),
        models: ModelPieces(span, from: 0, count: first.count))
    }
    func insert(_ number: Int) -> IdentityChanges? {
      let content = HashedElements(hashing: [number], kernel)
      return withExtendedLifetime(content) {
        tree.insert(
          content.span, ModelSpan(kernel: models, first: content.span.first), at: 1,
          section: section)
      }
    }
    let refused = try #require((2..<1_000).first { insert($0) == nil })
    let elements = TypedTree<Int>(tree).elements
    #expect(elements == [0] + (2..<refused).reversed() + [1])
    // An insert without models spreads the labels.
    let content = HashedElements(hashing: [refused], kernel)
    withExtendedLifetime(content) { _ = tree.insert(content.span, at: 1, section: section) }
    #expect(TypedTree<Int>(tree).elements == [0, refused] + elements[1...])
  }

  @Test("A leaf without models is not edited as if it had some")
  func bare() {
    let (kernel, models) = (ElementKernel(Int.self), ElementKernel(models: String.self))
    var tree = OrderTree(HashedElements(hashing: 0..<40, kernel), shape: .items)
    let (content, shown) = (
      HashedElements(hashing: [100], kernel), HashedElements(hashing: ["a hundred"], models)
    )
    let section = SectionKey(rawValue: 1)
    withExtendedLifetime((content, shown)) {
      let changes = tree.insert(
        content.span, ModelSpan(kernel: models, first: shown.span.first), at: 7, section: section)
      #expect(changes == nil)
    }
    #expect(tree.removeInPlace(at: 7, keepingModels: true, section: section) == nil)
    #expect(TypedTree<Int>(tree).elements == Array(0..<40))
  }

  private static func models(of tree: OrderTree) throws -> [Int] {
    try tree.leaves.flatMap { leaf in
      let span = try #require(leaf.models)
      return withExtendedLifetime(leaf) {
        (0..<leaf.count).map {
          span.address($0).assumingMemoryBound(to: Counted.self).pointee.number
        }
      }
    }
  }

  private static func elements(of tree: OrderTree) -> [Int] {
    TypedTree<Counted>(tree).elements.map(\.number)
  }
}
