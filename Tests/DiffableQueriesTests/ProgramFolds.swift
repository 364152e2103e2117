import ListSupport

@testable import Diffable

/// Which rows of a source's trees somebody has folded, by the identifiers that they have now.
struct ProgramFolds {
  /// Whether they are expanded.
  private(set) var flags: [Int: Bool] = [:]
  /// Those that were not there when they were folded.
  private var early: Set<Int> = []

  mutating func set(_ isExpanded: Bool, _ item: Int, isThere: Bool) {
    flags[item] = isExpanded
    if isThere { early.remove(item) } else { early.insert(item) }
  }

  /// Whether some renames are about folded rows.
  func concern(_ renames: [ItemRename<Int>]) -> Bool {
    renames.contains { flags[$0.old] != nil || flags[$0.new] != nil }
  }

  /// A fold stays with its row; what was said of a row before it was there counts more.
  mutating func follow(_ renames: [ItemRename<Int>]) {
    let (before, awaited, old) = (flags, early, Set(renames.map(\.old)))
    for rename in renames { flags[rename.old] = nil }
    for rename in renames {
      if !awaited.contains(rename.new) || old.contains(rename.new) {
        flags[rename.new] = before[rename.old]
      }
      early.subtract([rename.old, rename.new])
    }
  }
}

/// Renames of folded rows.
extension SourceProgramRun {
  /// Lets a writer change its list, and the folds of all sources follow the rows that it renames.
  ///
  /// A source follows a rename when it reads it, and knows what was renamed since it last read. If folded rows
  /// are renamed, all read before and after it, so that this is one change for each.
  ///
  /// - Parameter next: What the list is then, with the renames, unless the change is refused.
  func write(
    _ number: Int, _ next: Snapshot<Folder, Int>, _ write: () async throws -> Void
  ) async throws {
    let renames = next.renamedItems
    guard (flags + findings).contains(where: { $0.concern(renames) }) else {
      return try await write()
    }
    let (before, after) = (
      Set(Self.rows(of: await writers[number].snapshot)), Set(Self.rows(of: next))
    )
    // An identifier that is there before and after names the same row. A query that hides the row for a while
    // does not know that, so such changes are not judged.
    let isPlain = renames.allSatisfy {
      before.contains($0.old) && !before.contains($0.new) && after.contains($0.new)
        && !after.contains($0.old)
    }
    guard isPlain else { return }
    for source in sources.indices where await isAmbiguous(source, number, renames) { return }
    for source in sources { _ = await source.snapshot }
    try await write()
    for source in sources { _ = await source.snapshot }
    let live = Set(Self.rows(of: await writers[number].snapshot))
    let renamed = renames.filter { live.contains($0.new) && !live.contains($0.old) }
    for source in sources.indices where showsRows(SourceProgram.writerCount + source, of: number) {
      flags[source].follow(renamed)
      findings[source].follow(renamed)
    }
  }

  /// Whether a source merges a writer's list with one that shows rows under the same identifiers, which then are
  /// other rows for a while or for ever.
  private func isAmbiguous(
    _ source: Int, _ writer: Int, _ renames: [ItemRename<Int>]
  ) async -> Bool {
    guard case .merge(let first, let second) = specifications[source].front else { return false }
    switch (follows(first, writer), follows(second, writer)) {
    case (true, true): return true
    case (false, false): return false
    case (true, false), (false, true):
      let other = await expected(follows(first, writer) ? second : first)
      let shown = Set(other.sections.flatMap { $0.notes.map(\.id) })
      return renames.contains { shown.contains($0.old) || shown.contains($0.new) }
    }
  }

  /// Whether the rows of a source are those of a writer: not if it only looks something up there.
  private func showsRows(_ source: Int, of writer: Int) -> Bool {
    guard !isWriter(source) else { return source == writer }
    switch specifications[index(source)].front {
    case .one(let base), .join(let base, _), .intersect(let base, _), .subtract(let base, _):
      return showsRows(base, of: writer)
    case .merge(let first, let second):
      return showsRows(first, of: writer) || showsRows(second, of: writer)
    }
  }
}
