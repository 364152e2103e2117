import Diffable
import DiffableTesting

/// Which sources a program has besides its two lists, and who follows them.
struct Spec: Hashable, Sendable {
  /// A source, and the parts that it shows: the lists first, then earlier ones.
  enum Kind: Hashable, Sendable {
    case query(of: Int, PlainQuery)
    case merge(Int, Int, PlainQuery)
    case join(Int, Int, PlainQuery)
    /// The rows of the first that the second shows, or does not show.
    case restrict(Int, Int, keepsShown: Bool, PlainQuery)
    case mirror(of: Int)
    /// A user far away who edits one of the lists.
    case desk(of: Int)
    /// One of the servers that share another list; users may see what is not accepted yet.
    case member(isOptimistic: Bool)
    /// A list of pages from a backend that sends at most so many rows at once; the first page begins somewhere,
    /// and pages are dropped if there are more rows than a limit.
    case pages(
      cap: Int, from: Int, isMerging: Bool, limit: Int? = nil, hasPlaceholders: Bool = false)
  }

  /// A reader who sees only the first rows of each section of a part, and how many there are more.
  struct Abridged: Hashable, Sendable {
    var part: Int, length: Int
    /// What is shown of that.
    var query = PlainQuery(operations: [])
  }

  var parts: [Kind]
  var readers: [Int]
  var abridged: [Abridged] = []
  /// The part that each list view follows.
  var hosts: [Int] = []

  static func random(_ random: inout SplitMix64) -> Spec {
    var parts: [Kind] = []
    // The lists that each part shows, and whether one of them reaches it on two ways.
    var roots: [Set<Int>] = [[0], [1]]
    var isTwofold = [false, false]
    for _ in 0..<2 + random.number(below: 4) {
      let (one, other) = (random.number(below: roots.count), random.number(below: roots.count))
      switch random.number(below: 15) {
      case 0...3:
        let query = PlainQuery.random(&random)
        let kind: Kind =
          switch random.number(below: 8) {
          case 0, 1: .join(one, other, query)
          case 2, 3: .restrict(one, other, keepsShown: random.chance(oneIn: 2), query)
          default: .merge(one, other, query)
          }
        parts.append(kind)
        isTwofold.append(
          isTwofold[one] || isTwofold[other] || !roots[one].isDisjoint(with: roots[other]))
        roots.append(roots[one].union(roots[other]))
      case 13...:
        parts.append(
          .pages(
            cap: 1 + random.number(below: 4), from: random.number(below: 12),
            isMerging: random.chance(oneIn: 2),
            limit: random.chance(oneIn: 2) ? nil : 5 + random.number(below: 4),
            hasPlaceholders: random.chance(oneIn: 3)))
        (roots, isTwofold) = (roots + [[3 + roots.count]], isTwofold + [false])
      case 10...12:
        parts.append(.member(isOptimistic: random.chance(oneIn: 2)))
        (roots, isTwofold) = (roots + [[2]], isTwofold + [false])
      case 8, 9:
        parts.append(.desk(of: one))
        (roots, isTwofold) = (roots + [[one % 2]], isTwofold + [false])
      case let choice:
        parts.append(choice < 6 ? .query(of: one, .random(&random)) : .mirror(of: one))
        (roots, isTwofold) = (roots + [roots[one]], isTwofold + [isTwofold[one]])
      }
    }
    let readers = (0..<2 + random.number(below: 4)).map { _ in
      random.number(below: 2 + parts.count)
    }
    // In a merge, a row that both lists have is now the one, now the other.
    let single = roots.indices.filter { roots[$0].count == 1 && !isTwofold[$0] }
    var hosts = (0..<random.number(below: 3)).map { _ in random.element(of: single) ?? 0 }
    // A view of a list of pages says what it shows.
    let paged = parts.indices.filter { if case .pages = parts[$0] { true } else { false } }
    if let part = random.element(of: paged), random.chance(oneIn: 3) { hosts.append(2 + part) }
    let abridged = (0..<random.number(below: 3)).map { _ in
      Abridged(
        part: random.number(below: 2 + parts.count), length: random.number(below: 5),
        query: PlainQuery.random(&random).ofAny)
    }
    return Spec(parts: parts, readers: readers, abridged: abridged, hosts: hosts)
  }
}

extension Spec {
  private var pagesCount: Int { parts.count { if case .pages = $0 { true } else { false } } }

  /// How many lists users write.
  var listCount: Int { 2 + pagesCount }

  /// The number of the list whose pages a part loads.
  func list(ofPages part: Int) -> Int { 2 + part % max(1, pagesCount) }

  /// Whether there is anything that an event can happen to.
  fileprivate func hasPart(for event: WorldEvent) -> Bool {
    switch event {
    case .setQuery, .fold:
      parts.contains { part in
        switch part {
        case .query, .merge, .join, .restrict: true
        default: false
        }
      }
    case .link: parts.contains { if case .mirror = $0 { true } else { false } }
    case .desk: parts.contains { if case .desk = $0 { true } else { false } }
    case .member: parts.contains { if case .member = $0 { true } else { false } }
    case .pages: pagesCount > 0
    case .host: !hosts.isEmpty
    default: true
    }
  }
}

/// Sources, and what happens to them.
struct Program: Sendable {
  var spec: Spec
  var events: [WorldEvent]

  init(_ spec: Spec, _ events: [WorldEvent]) { (self.spec, self.events) = (spec, events) }

  init(seed: UInt64, length: Int = 30) {
    var random = SplitMix64(seed: seed)
    spec = .random(&random)
    events = []
    while events.count < length {
      let next =
        random.chance(oneIn: 8)
        ? random.element(of: Motif.allCases)?.events(&random, spec) ?? []
        : [.random(&random, spec)]
      events += next.filter(spec.hasPart)
    }
  }

  /// Runs it.
  ///
  /// - Throws: The first promise that is not kept.
  @MainActor
  func run() async throws {
    let world = try await World(spec)
    for (number, event) in events.enumerated() {
      do {
        try await world.perform(event)
      } catch {
        throw Failure("event \(number), \(event.code): \(error)")
      }
    }
    try await world.lookAtAll()
  }

  /// What is wrong; `nil` if nothing is.
  @MainActor
  var failure: String? {
    get async {
      do { try await run() } catch { return "\(error)" }
      return nil
    }
  }

  /// As Swift: a test can run it.
  var code: String {
    let parts = spec.parts.map { WorldEvent.code(of: $0) }.joined(separator: ", ")
    let abridged = spec.abridged.map { "Spec." + WorldEvent.shortened("\($0)") }
      .joined(separator: ", ")
    return """
      Program(
        Spec(
          parts: [\(parts)],
          readers: \(spec.readers), abridged: [\(abridged)], hosts: \(spec.hosts)),
        [
      \(events.map { "    \($0.code)," }.joined(separator: "\n"))
        ])
      """
  }
}

extension Program {
  /// The smallest program that still fails, as far as leaving out one thing after another leads.
  @MainActor
  func shrunk(atMost tries: Int = 300) async -> Program {
    var (best, tries) = (self, tries)
    func attempt(_ smaller: Program) async -> Bool {
      guard tries > 0 else { return false }
      tries -= 1
      guard await smaller.failure != nil else { return false }
      best = smaller
      return true
    }
    var chunk = max(1, events.count / 2)
    while tries > 0 {
      var (start, isSmaller) = (0, false)
      while start < best.events.count, tries > 0 {
        var smaller = best
        smaller.events.removeSubrange(start..<min(start + chunk, best.events.count))
        if await attempt(smaller) { isSmaller = true } else { start += chunk }
      }
      if chunk == 1 {
        for smaller in best.simpler where await attempt(smaller) {
          isSmaller = true
          break
        }
        if !isSmaller { break }
      }
      chunk = max(1, chunk / 2)
    }
    return best
  }

  /// Programs with one reader, edit or part less.
  private var simpler: [Program] {
    var result: [Program] = []
    for index in spec.readers.indices where spec.readers.count > 0 {
      var smaller = self
      smaller.spec.readers.remove(at: index)
      result.append(smaller)
    }
    for index in spec.abridged.indices {
      var smaller = self
      smaller.spec.abridged.remove(at: index)
      result.append(smaller)
    }
    for index in spec.hosts.indices {
      var smaller = self
      smaller.spec.hosts.remove(at: index)
      result.append(smaller)
    }
    if let last = spec.parts.indices.last {
      var smaller = self
      smaller.spec.parts.remove(at: last)
      result.append(smaller)
    }
    for index in spec.parts.indices {
      for kind in spec.parts[index].simpler {
        var smaller = self
        smaller.spec.parts[index] = kind
        result.append(smaller)
      }
    }
    for index in events.indices {
      for event in events[index].simpler {
        var smaller = self
        smaller.events[index] = event
        result.append(smaller)
      }
    }
    return result
  }
}

extension Spec.Kind {
  fileprivate var simpler: [Spec.Kind] {
    switch self {
    case .query(let base, let query): query.simpler.map { .query(of: base, $0) }
    case .merge(let one, let other, let query): query.simpler.map { .merge(one, other, $0) }
    case .join(let one, let other, let query): query.simpler.map { .join(one, other, $0) }
    case .restrict(let one, let other, let keepsShown, let query):
      query.simpler.map { .restrict(one, other, keepsShown: keepsShown, $0) }
    case .mirror, .desk, .member, .pages: []
    }
  }
}

extension PlainQuery {
  fileprivate var simpler: [PlainQuery] {
    operations.indices.map { index in
      var smaller = self
      smaller.operations.remove(at: index)
      return smaller
    }
  }
}

extension WorldEvent {
  fileprivate var simpler: [WorldEvent] {
    func fewer<Element>(_ all: [Element]) -> [[Element]] {
      all.indices.map { index in
        var all = all
        all.remove(at: index)
        return all
      }
    }
    return switch self {
    case .write(let list, let user, let edits, let presentation):
      fewer(edits).map { .write(list: list, user: user, $0, presentation) }
        + (presentation == .animated ? [] : [.write(list: list, user: user, edits)])
    case .enqueue(let list, let edits, let first):
      fewer(edits).map { .enqueue(list: list, $0, first: first) }
    case .drag(let part, let from, let to, let edits):
      fewer(edits).map { .drag(in: part, from: from, to: to, meanwhile: $0) }
    case .merge(let list, let back, let user, let edits):
      fewer(edits).map { .merge(list: list, back: back, user: user, $0) }
    case .author(let list, let user, .edit(let edits)):
      fewer(edits).map { .author(list: list, user, .edit($0)) }
    case .desk(let part, .edit(let edits)): fewer(edits).map { .desk(part, .edit($0)) }
    case .member(let part, .edit(let edits)): fewer(edits).map { .member(part, .edit($0)) }
    case .setQuery(let part, let query): query.simpler.map { .setQuery(of: part, $0) }
    default: []
    }
  }
}
