public import Diffable

// What a search field needs: rows by how well they match, and what of them does.
extension ListQuery where Output.Element: Equatable {
  /// Shows the rows that match what a user types, the best first, with the parts that match.
  ///
  /// ```swift
  /// let found = songs.derived { $0.ungrouped().searched(for: "", in: \.title, first: 100) }
  /// // at each key press:
  /// try await found.setQuery { $0.ungrouped().searched(for: text, in: \.title, first: 100) }
  /// ```
  ///
  /// ``SearchPattern`` says which texts match, and their scores. Of rows with the same score, the first one of the
  /// list is first. While nothing is typed, all rows match. Each row is a ``FoundRow``.
  ///
  /// Each section is searched apart. To compare all rows, write `ungrouped()` before. Sections in which
  /// nothing is found stay, unless the list was grouped or ``omittingEmptySections()`` was called. Of a tree, the
  /// visible rows are searched, and shown as a list; ``searched(if:keepsUnloaded:_:)`` searches trees.
  /// Rows cannot be dragged inside of their sections.
  ///
  /// The folded texts of the rows are kept, and read again only for rows that change. That takes 24 bytes for
  /// each row, and the length of its text in UTF-8. If the text is replaced, the rows that did not match are left
  /// out if the new text cannot match them either, as while a user types. The parts that match are looked for when
  /// they are read from a row. Each row that is shown is made, so set a limit if a letter may match tens of thousands.
  ///
  /// - Parameters:
  ///   - text: What the user has typed.
  ///   - path: The text of an element that is searched.
  ///   - limit: How many rows of each section are shown at most; all that match, if it is `nil`, and none if it is
  ///     negative.
  /// - Complexity: For n rows with texts of b bytes in all, O(b) for each word of the text when it is set. Afterwards
  ///   O(n / 32) for each change, to find the rows that it changes among the leaves of the list, and one score and
  ///   O(log² n) for each of these; with a limit of k rows, O(k · log k) for all of them.
  ///   Rows of outlines of the source are scored again whenever one changes.
  @inlinable public func searched(
    for text: String, in path: any KeyPath<Output.Element, String> & Sendable,
    first limit: Int? = nil
  ) -> ListQuery<Input, FoundBatch<Output>> {
    searched(id: path, for: text, in: { $0[keyPath: path] }, first: limit)
  }

  /// Shows the rows that match what a user types, by a text that is made of each.
  ///
  /// ```swift
  /// query.searched(id: "title and artist", for: text, in: { "\($0.title) \($0.artist)" })
  /// ```
  ///
  /// Otherwise like ``searched(for:in:first:)``.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that read the same text of a row; `nil` if it equals no other. Without it, all texts
  ///     are read again whenever the query is replaced, and of a row whose score stays, the parts are found to compare
  ///     them.
  ///   - text: What the user has typed.
  ///   - read: The text of an element that is searched: the same one whenever it is called. The parts of a row that
  ///     match are found in it when they are read, where they are read.
  ///   - limit: How many rows of each section are shown at most; all that match, if it is `nil`, and none if it is
  ///     negative.
  @inlinable public func searched(
    id: (any Hashable & Sendable)? = nil, for text: String,
    in read: @escaping @Sendable (Output.Element) -> String, first limit: Int? = nil
  ) -> ListQuery<Input, FoundBatch<Output>> {
    searched(SearchPattern(text), id, read, limit, Self.foundKernels)
  }

  /// Shows the rows to which a function gives a score, those with the highest scores first.
  ///
  /// ```swift
  /// let pattern = SearchPattern(text)
  /// query.ranked(id: pattern, first: 20) { song in
  ///   pattern.match(in: song.title).map { SearchMatch(score: $0.score + Double(song.plays), ranges: $0.ranges) }
  /// }
  /// ```
  ///
  /// A row with the score NaN is left out. Otherwise like ``searched(for:in:first:)``.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that give each row the same score and ranges; `nil` if it equals no other.
  ///   - limit: How many rows of each section are shown at most; all that have a score, if it is `nil`, and none if
  ///     it is negative.
  ///   - match: The score of an element, and what of it matches; `nil` to leave it out.
  /// - Complexity: One call for each of n rows when the query is set, and for each row that changes
  ///   afterwards. That of ``searched(for:in:first:)``, besides. What it returns is kept: 48 bytes for each row.
  @inlinable public func ranked(
    id: (any Hashable & Sendable)? = nil, first limit: Int? = nil,
    by match: @escaping @Sendable (Output.Element) -> SearchMatch?
  ) -> ListQuery<Input, FoundBatch<Output>> {
    ranked(id, match, limit, Self.foundKernels)
  }
}

/// The batches of a list of rows that a search has found in another list.
public typealias FoundBatch<Batch: ListBatch> = ModelBatch<
  Batch.SectionID, FoundRow<Batch.ItemID, Batch.Element>
> where Batch.Element: Equatable

extension ListQuery where Output.Element: Equatable {
  /// Compiled where the types are known, so that rows are made, compared and copied by code of their own.
  @inlinable static var foundKernels: FoundKernels {
    FoundKernels(
      Snapshot<Output.SectionID, Output.ItemID>.self, FoundRow<Output.ItemID, Output.Element>.self)
  }

  @usableFromInline func searched(
    _ pattern: SearchPattern, _ id: (any Hashable & Sendable)?,
    _ read: @escaping @Sendable (Output.Element) -> String, _ limit: Int?,
    _ rows: FoundKernels
  ) -> ListQuery<Input, FoundBatch<Output>> {
    let rule = ScoreRule(
      .text(pattern, ElementText { lend($0, to: read) }), limit: limit, rows,
      reading: id.map { AnyItemID($0) })
    return scored(rule, .named(.textSearch(pattern, limit: limit), id))
  }

  @usableFromInline func ranked(
    _ id: (any Hashable & Sendable)?, _ match: @escaping @Sendable (Output.Element) -> SearchMatch?,
    _ limit: Int?, _ rows: FoundKernels
  ) -> ListQuery<Input, FoundBatch<Output>> {
    let rule = ScoreRule(.rows { lend($0, to: match) }, limit: limit, rows, reading: nil)
    return scored(rule, .named(.rank(limit: limit), id))
  }

  private func scored(
    _ rule: ScoreRule, _ identity: StepIdentity
  ) -> ListQuery<Input, FoundBatch<Output>> {
    let before = closed
    let omits = before.traits.omitsEmptySections
    var query = ListQuery<Input, FoundBatch<Output>> { [makeChain = before.makeChain] _, _ in
      Self.sequence(
        makeChain(nil, false),
        ScoringStep<SectionID, ItemID>(
          rule, omitsEmptySections: omits, element: Output.Element.self), identity)
    }
    query.moveChange = moveChange
    query.traits = before.traits
    (query.traits.order, query.traits.isRanked, query.traits.canSummarise) = (nil, false, false)
    // Neither in the order of the source, nor in one that compares elements.
    query.traits.isRegrouped = true
    return query
  }
}
