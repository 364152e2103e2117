import DiffableTesting

@testable import Diffable

/// Sources that follow each other, and what happens to them.
///
/// Each step draws what it does from a seed of its own and from the state that it finds. So a
/// program stays one if steps are left out, and a failing one can be made smaller.
struct SourceProgram: Sendable, CustomStringConvertible {
  /// A derived source, and what it follows: writers first, then earlier sources.
  struct Source: Sendable, CustomStringConvertible {
    enum Front: Sendable {
      case one(Int)
      case merge(Int, Int)
      case join(Int, Int)
      case intersect(Int, Int)
      case subtract(Int, Int)

      /// The sources that it shows.
      var bases: [Int] {
        switch self {
        case .one(let base): [base]
        case .merge(let first, let second), .join(let first, let second),
          .intersect(let first, let second), .subtract(let first, let second):
          [first, second]
        }
      }
    }

    var front: Front
    var script: QueryScript
    /// Whether operations say what they are.
    var isDeclared: Bool

    var description: String { "\(front) \(script)\(isDeclared ? " declared" : "")" }
  }

  enum Step: Sendable {
    /// Edits of a writer's list, as in one update.
    case edit(writer: Int, seed: UInt64)
    /// Another order of the sections of a writer, by moves or by an apply.
    case moveSections(writer: Int, seed: UInt64)
    /// A list that differs in some way, or another one.
    case apply(writer: Int, seed: UInt64)
    case setModels(writer: Int, seed: UInt64)
    /// The last change of a writer is taken back, or what was taken back is made again.
    case undo(writer: Int, isRedo: Bool)
    case setHeader(writer: Int, seed: UInt64)
    case setQuery(source: Int, QueryScript)
    case setBase(source: Int, to: Int)
    case fold(source: Int, seed: UInt64)
    case wait(milliseconds: Int)
    /// A subscriber takes what there is, and the state is compared.
    case follow(source: Int)
    /// A task reads that is cancelled.
    case readCancelled(source: Int)
    /// A subscriber begins again.
    case resubscribe(source: Int)
  }

  static let writerCount = 2

  var sources: [Source]
  var steps: [Step]

  var description: String {
    let sources = sources.enumerated().map { "  \(Self.writerCount + $0): \($1)" }
    return (sources + steps.map { "  \($0)" }).joined(separator: "\n")
  }

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    sources = (0..<1 + random.number(below: 4)).map { number in
      let earlier = Self.writerCount + number
      func any() -> Int { random.number(below: earlier) }
      let front: Source.Front =
        switch random.number(below: 7) {
        case 0: .merge(any(), any())
        case 1: .join(any(), any())
        case 2: .intersect(any(), any())
        case 3: .subtract(any(), any())
        default: .one(any())
        }
      return Source(front: front, script: .random(&random), isDeclared: random.chance(oneIn: 2))
    }
    let last = Self.writerCount + sources.count
    steps = (0..<Self.writerCount).map { .apply(writer: $0, seed: random.next()) }
    for _ in 0..<24 { steps.append(.random(last, &random)) }
    steps += (Self.writerCount..<last).map { .follow(source: $0) }
  }
}

extension SourceProgram.Step {
  fileprivate static func random(_ last: Int, _ random: inout SplitMix64) -> Self {
    let writer = random.number(below: SourceProgram.writerCount)
    let source = SourceProgram.writerCount + random.number(below: last - SourceProgram.writerCount)
    return switch random.number(below: 24) {
    case 0...3: .edit(writer: writer, seed: random.next())
    case 4...6: .moveSections(writer: writer, seed: random.next())
    case 7, 8: .apply(writer: writer, seed: random.next())
    case 9, 10: .setModels(writer: writer, seed: random.next())
    case 11: .setHeader(writer: writer, seed: random.next())
    case 12: .setQuery(source: source, .random(&random))
    case 13: .fold(source: source, seed: random.next())
    case 14: .wait(milliseconds: random.number(below: 4000))
    case 15: .readCancelled(source: source)
    case 16: .resubscribe(source: source)
    case 17 where random.chance(oneIn: 2): .setBase(source: source, to: random.number(below: last))
    case 18: .undo(writer: writer, isRedo: random.chance(oneIn: 3))
    default: .follow(source: source)
    }
  }
}

extension SourceProgram {
  /// The same with as few steps and operations as it takes to fail.
  func shrunk(fails: (SourceProgram) async -> Bool) async -> SourceProgram {
    var best = self
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for index in best.steps.indices.reversed() {
        var smaller = best
        smaller.steps.remove(at: index)
        if await fails(smaller) { (best, isSmaller) = (smaller, true) }
      }
      for source in best.sources.indices {
        for index in best.sources[source].script.operations.indices.reversed() {
          var smaller = best
          smaller.sources[source].script.operations.remove(at: index)
          if await fails(smaller) { (best, isSmaller) = (smaller, true) }
        }
      }
    }
    return best
  }
}
