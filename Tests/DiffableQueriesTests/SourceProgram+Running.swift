import DiffableTesting
import ListSupport
import Testing

@testable import Diffable
@testable import DiffableQueries

/// A source of notes: a writer, or one that shows others.
protocol NoteSource: ListSource
where Batch == ModelBatch<Folder, Note>, SectionID == Folder, ItemID == Int {}

extension ModelSource: NoteSource where SectionID == Folder, Model == Note {}
extension DerivedSource: NoteSource where Output == ModelBatch<Folder, Note> {}

/// A program that is being run.
final class SourceProgramRun {
  typealias Derived = DerivedSource<ModelBatch<Folder, Note>, ModelBatch<Folder, Note>>

  /// The first thing that is wrong.
  struct Failure: Error, CustomStringConvertible { let description: String }

  private let program: SourceProgram
  let writers = (0..<SourceProgram.writerCount).map { _ in
    Notes(options: SourceOptions(history: 200))
  }
  private let clock = ManualClock()
  private(set) var specifications: [SourceProgram.Source]
  private(set) var sources: [Derived] = []
  private var followers: [ProgramFollower] = []
  /// Of each source, and of its first folder: the identifiers and texts in their order.
  private var totals: [(list: ListTotal<[Int]>, folder: ListTotal<[Int]>)] = []
  /// Which rows of each source's trees somebody has folded: whether they are expanded.
  private var flags: [[Int: Bool]]
  /// The same, since a search began.
  private var findings: [[Int: Bool]]

  init(_ program: SourceProgram) {
    self.program = program
    specifications = program.sources
    flags = program.sources.map { _ in [:] }
    findings = flags
  }

  @Sendable private static func words(_ note: Note) -> [Int] { [note.id, note.text] }

  private static func name(in note: Note) -> Int? { note.title > 0 ? 3 * note.title : nil }

  private static func join(_ note: Note, _ found: Note?) -> Note {
    var joined = note
    joined.text = note.text + 10 * (found.map { $0.text % 3 + 1 } ?? 0)
    return joined
  }

  func isWriter(_ number: Int) -> Bool { number < SourceProgram.writerCount }
  func index(_ number: Int) -> Int { number - SourceProgram.writerCount }

  func run() async throws {
    for source in program.sources {
      let made = try await make(source)
      sources.append(made)
      followers.append(ProgramFollower(made))
      let rows = Aggregate<Note, [Int]>.reduce(of: Self.words, []) { $0 + $1 }
      totals.append((made.total(rows), made.total(ofSection: 1, rows)))
    }
    for (number, step) in program.steps.enumerated() {
      do { try await perform(step) } catch let failure as Failure {
        throw Failure(description: "step \(number), \(step): \(failure)")
      }
    }
  }

  // MARK: Sources

  private func source(_ number: Int) -> any NoteSource {
    isWriter(number) ? writers[number] : sources[index(number)]
  }

  private func make(_ source: SourceProgram.Source) async throws -> Derived {
    let bases = source.front.bases.map { self.source($0) }
    guard bases.count > 1 else { return derived(from: bases[0], source) }
    let combined = combined(bases[0], bases[1], source)
    // The query follows in the same source, or in another one.
    guard source.isDeclared else { return derived(from: combined, source) }
    try await combined.setQuery { source.script.query($0, isDeclared: true, clock: clock) }
    return combined
  }

  private func combined(
    _ first: some NoteSource, _ second: some NoteSource, _ source: SourceProgram.Source
  ) -> Derived {
    switch source.front {
    case .merge: first.merged(with: second)
    case .intersect: first.intersection(second)
    case .subtract: first.subtracting(second)
    default: first.joined(with: second, by: { Self.name(in: $0) }) { Self.join($0, $1) }
    }
  }

  private func derived(from base: some NoteSource, _ source: SourceProgram.Source) -> Derived {
    base.derived(options: .strict) {
      source.script.query($0, isDeclared: source.isDeclared, clock: clock)
    }
  }

  /// Whether a source follows another one, or is it.
  func follows(_ number: Int, _ other: Int) -> Bool {
    guard number != other, !isWriter(number) else { return number == other }
    return specifications[index(number)].front.bases.contains { follows($0, other) }
  }

  /// What a source shows, from scratch.
  func expected(_ number: Int) async -> QueryScript.Plain {
    if isWriter(number) { return QueryScript.Plain(await writers[number].snapshot) }
    let source = specifications[index(number)]
    let input =
      switch source.front {
      case .one(let base): await expected(base)
      case .merge(let first, let second): await expected(first).merged(with: expected(second))
      case .join(let first, let second):
        await expected(first).joined(with: expected(second), by: Self.name(in:), Self.join)
      case .intersect(let first, let second):
        await expected(first).selected(by: expected(second), keepsShown: true)
      case .subtract(let first, let second):
        await expected(first).selected(by: expected(second), keepsShown: false)
      }
    return source.script.evaluate(
      input, flags: flags[index(number)], findings: findings[index(number)], now: clock.now)
  }

  // MARK: Steps

  private func perform(_ step: SourceProgram.Step) async throws {
    switch step {
    case .edit(let writer, let seed): try await edit(writer, seed)
    case .moveSections(let writer, let seed): try await moveSections(writers[writer], seed)
    case .apply(let writer, let seed): try await apply(writer, seed)
    case .setModels(let writer, let seed):
      var random = SplitMix64(seed: seed)
      let items = Self.rows(of: await writers[writer].snapshot)
      try await writers[writer].setModels(
        random.sample(items, oneIn: 6).map { Self.note($0, &random) })
    case .undo(let writer, let isRedo):
      // Which rows it renames, and so what becomes of folds, is known only afterwards.
      guard (flags + findings).allSatisfy(\.isEmpty) else { return }
      _ = try await isRedo ? writers[writer].redo() : writers[writer].undo()
    case .setHeader(let writer, let seed):
      var random = SplitMix64(seed: seed)
      let sections = await writers[writer].snapshot.sectionIdentifiers
      guard let section = random.element(of: sections) else { return }
      try await writers[writer].setSectionModel(
        random.chance(oneIn: 3) ? nil : "title \(random.number(below: 3))", for: section)
    case .setQuery(let source, let script):
      let index = index(source)
      findings[index] = [:]
      specifications[index].script = script
      let isDeclared = specifications[index].isDeclared
      try await sources[index].setQuery { script.query($0, isDeclared: isDeclared, clock: clock) }
    case .setBase(let source, let base): try await setBase(of: source, to: base)
    case .fold(let source, let seed): try await fold(source, seed)
    case .wait(let milliseconds): clock.advance(by: .milliseconds(milliseconds))
    case .follow(let source): try await compare(source)
    case .readCancelled(let source):
      let derived = sources[index(source)]
      await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        _ = await derived.snapshot
      }.value
    case .resubscribe(let source):
      let index = index(source)
      followers[index] = ProgramFollower(sources[index], .every(limit: 3))
    }
  }

  private func fold(_ source: Int, _ seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let items = random.sample(Array(0..<SourceProgramRun.identifiers), oneIn: 5)
    let isExpanded = random.chance(oneIn: 2)
    let (derived, index) = (sources[index(source)], index(source))
    // It reads the renames that were made before: these are not about the rows that are folded now.
    _ = await derived.snapshot
    for item in items {
      if specifications[index].script.isSearch {
        findings[index][item] = isExpanded
      } else {
        flags[index][item] = isExpanded
      }
    }
    try await isExpanded ? derived.expandItems(items) : derived.collapseItems(items)
  }

  /// Lets a writer change its list, unless it renames rows that somebody has folded, or to their names.
  ///
  /// What becomes of folds then is judged by `RenamedFoldTests`, and in the world.
  func write(_ next: Snapshot<Folder, Int>, _ write: () async throws -> Void) async throws {
    let names = next.renamedItems.flatMap { [$0.old, $0.new] }
    guard (flags + findings).allSatisfy({ folds in names.allSatisfy { folds[$0] == nil } }) else {
      return
    }
    try await write()
  }

  private func setBase(of source: Int, to base: Int) async throws {
    let isCircle = follows(base, source)
    do {
      try await sources[index(source)].setBase(self.source(base))
      guard !isCircle else { throw Failure(description: "a circle is not refused") }
      specifications[index(source)].front = .one(base)
    } catch DataSourceError.followsItself {
      guard isCircle else { throw Failure(description: "no circle, and refused") }
    }
  }

  private func compareTotals(of plain: QueryScript.Plain, _ number: Int) async throws {
    let all = plain.sections.flatMap { $0.notes.flatMap(Self.words) }
    let first = plain.sections.filter { $0.folder == 1 }.flatMap { $0.notes.flatMap(Self.words) }
    let (list, folder) = totals[index(number)]
    let (found, one) = await (list.value, folder.value)
    guard found == all else { throw Failure(description: "a total of \(found), not \(all)") }
    guard one == first else {
      throw Failure(description: "a total of folder 1 of \(one), not \(first)")
    }
  }

  private func compare(_ number: Int) async throws {
    let derived = sources[index(number)]
    let expected = await expected(number)
    let state = QueryScript.Plain(await derived.snapshot)
    guard state == expected else {
      throw Failure(description: "shows\n\(state)\ninstead of\n\(expected)")
    }
    try await followers[index(number)].follow(derived)
    let shown = QueryScript.Plain(followers[index(number)].keeper.snapshot)
    guard shown == expected else {
      throw Failure(description: "a subscriber shows\n\(shown)\ninstead of\n\(expected)")
    }
    try await compareTotals(of: expected, number)
    // Nobody has written since.
    guard case .one(let base) = specifications[index(number)].front else { return }
    let live = await source(base).revision
    guard await derived.baseRevision(of: derived.revision) == live else {
      throw Failure(description: "it names another revision of its base than \(live)")
    }
  }
}

extension SourceOptions {
  /// Fails the test if a query makes a list that is refused: it would be worked out from scratch, and
  /// be the same.
  static var strict: SourceOptions {
    SourceOptions(observer: { event in
      if case .rejected(.invalidSnapshot(let error)) = event { Issue.record("rejected: \(error)") }
    })
  }
}
