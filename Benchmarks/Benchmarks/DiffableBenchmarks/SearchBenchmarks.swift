import Benchmark
import Diffable
import DiffableQueries
import DiffableTesting

/// A key press in a search field above 100,000 titles, until the batch is in hand.
///
/// - `typing`: the text gets longer, by one letter at a time.
/// - `deleting`: it gets shorter again, so that rows count which did not match.
/// - `replacing`: another text takes its place.
func registerSearchFieldBenchmarks() {
  let count = 100_000
  for (name, limit) in [("best", 100), ("all", nil as Int?)] {
    for way in SearchedTitles.Way.allCases {
      Benchmark("search/\(way)/\(count)/\(name)") { (benchmark, list: SearchedTitles) in
        let (before, text) = list.nextTexts(way)
        try await list.show(before)
        benchmark.startMeasurement()
        try await list.show(text)
        benchmark.stopMeasurement()
      } setup: {
        try await SearchedTitles(count: count, limit: limit)
      }
    }
  }
  Benchmark("search/set/\(count)/best/x10") { (benchmark, list: SearchedTitles) in
    try await list.show("so")
    benchmark.startMeasurement()
    for _ in 0..<10 { try await list.setTitle() }
    benchmark.stopMeasurement()
  } setup: {
    try await SearchedTitles(count: count, limit: 100)
  }
}

/// Titles of two to five words, of three thousand that there are, and what a search shows of them.
private final class SearchedTitles {
  enum Way: CaseIterable { case typing, deleting, replacing }

  private let source = ModelSource<Int, Model>()
  private let found: DerivedSource<ModelBatch<Int, Model>, FoundBatch<ModelBatch<Int, Model>>>
  private let limit: Int?
  private var models: [Model]
  private var random = SplitMix64(seed: 71)
  private let words: [String]
  private var rounds = 0

  init(count: Int, limit: Int?) async throws {
    var random = SplitMix64(seed: 72)
    let syllables = ["ka", "lo", "mi", "ser", "tan", "blu", "gre", "en", "so", "rid", "vo", "é"]
    func join(_ parts: [String], _ counts: ClosedRange<Int>, _ separator: String) -> String {
      let number = counts.lowerBound + random.number(below: counts.count)
      return (0..<number).map { _ in parts[random.number(below: parts.count)] }
        .joined(separator: separator)
    }
    let words = (0..<3_000).map { _ in join(syllables, 1...4, "") }
    models = [Model](
      ids: .seeded(count, seed: 73), titles: (0..<count).map { _ in join(words, 2...5, " ") })
    (self.words, self.limit) = (words, limit)
    found = source.derived { $0.searched(for: "", in: \.title, first: limit) }
    try await source.apply(models, section: { _ in 0 })
    blackHole(await found.current)
  }

  /// A text that is shown already, and the one after the next key press.
  func nextTexts(_ way: Way) -> (before: String, next: String) {
    rounds += 1
    let text = words[random.number(below: words.count)] + " " + words[rounds % words.count]
    let length = 1 + rounds % (text.count - 1)
    let (short, long) = (String(text.prefix(length)), String(text.prefix(length + 1)))
    return switch way {
    case .typing: (short, long)
    case .deleting: (long, short)
    case .replacing: (String(text.reversed()), long)
    }
  }

  /// Shows what a text finds.
  func show(_ text: String) async throws {
    try await found.setQuery { [limit] in $0.searched(for: text, in: \.title, first: limit) }
    blackHole(await found.current)
  }

  /// Changes a title, and shows what is found then.
  func setTitle() async throws {
    let row = random.number(below: models.count)
    models[row].title = words[random.number(below: words.count)] + " so"
    try await source.setModel(models[row])
    blackHole(await found.current)
  }
}
