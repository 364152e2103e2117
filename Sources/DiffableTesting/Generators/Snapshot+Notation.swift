package import Diffable

extension Snapshot<String, String> {
  /// Parses the notation of the descriptions of snapshots: `main[a b* c~] archive*[]`.
  ///
  /// Anything else is skipped: this is for literals in tests.
  package init(_ notation: String) {
    self.init()
    for part in notation.split(separator: "]") {
      let halves = part.split(separator: "[", omittingEmptySubsequences: false)
      guard halves.count == 2 else { continue }
      let section = Self.unmarked(halves[0].filter { $0 != " " })
      let items = halves[1].split(separator: " ").map(Self.unmarked)
      appendSections([section.id])
      // Everything named here has just been appended, so nothing throws.
      try? appendItems(items.map(\.id))
      try? reloadItems(items.filter { $0.mark == "*" }.map(\.id))
      try? reconfigureItems(items.filter { $0.mark == "~" }.map(\.id))
      if section.mark == "*" { try? reloadSections([section.id]) }
      if section.mark == "~" { try? reconfigureSections([section.id]) }
    }
  }

  private static func unmarked(_ word: some StringProtocol) -> (id: String, mark: Character?) {
    guard let last = word.last, "*~".contains(last) else { return (String(word), nil) }
    return (String(word.dropLast()), last)
  }
}
