public import Diffable

/// One value of many rows, which can be followed: a badge, a footer, the state of a button.
///
/// ```swift
/// let unread = messages.total(.count { $0.isUnread })
/// for await count in unread.updates() { badge.show(count) }
/// ```
///
/// Like a derived source, it works on request: if nothing follows it or reads it, a change of the
/// list costs nothing. It holds the list, and its streams hold it. A total is a value, and all its
/// copies are the same total.
public struct ListTotal<Value: Equatable & Sendable>: Sendable {
  private let read: @Sendable () async -> Value
  private let follow: @Sendable () -> any AsyncSequence<Value, Never>
  private let explanation: @Sendable () async -> QueryExplanation

  init<Input: ListBatch, Output: ListBatch>(
    _ source: DerivedSource<Input, Output>, empty: Value
  ) where Output.SectionID == TotalSection<Value> {
    @Sendable func value(in state: Snapshot<TotalSection<Value>, Output.ItemID>) -> Value {
      state.sectionModel(of: TotalSection()) ?? empty
    }
    read = { value(in: await source.snapshot) }
    explanation = { await source.explain() }
    follow = { source.updates().map { value(in: $0.snapshot) } }
  }

  /// The value now: everything that was written to the list before is in it.
  ///
  /// - Complexity: O(c · log n) for c rows of n that have changed since the last time. The first
  ///   time, and after most rows have changed at once, O(n).
  public var value: Value {
    get async { await read() }
  }

  /// What it has cost to follow the rows, and what the total follows.
  ///
  /// - Complexity: That of ``DerivedSource/explain()``.
  public func explain() async -> QueryExplanation { await explanation() }

  /// The value now, and each other one that it becomes.
  ///
  /// A reader that is slow receives the last value, and none in between. A value that equals the one before is
  /// not repeated. The stream ends when the list has ended, and when the task that reads it is cancelled.
  ///
  /// - Returns: A stream for one task at a time.
  public func updates() -> Updates { Updates(base: follow()) }

  /// The values of a total, one after another.
  public struct Updates: AsyncSequence {
    /// No value takes the place of one: there are no errors.
    public typealias Failure = Never
    let base: any AsyncSequence<Value, Never>

    /// Makes what reads the values.
    public func makeAsyncIterator() -> Iterator { Iterator(base: iterator(of: base)) }

    private func iterator<Base: AsyncSequence<Value, Never>>(
      of base: Base
    ) -> any AsyncIteratorProtocol<Value, Never> {
      base.makeAsyncIterator()
    }

    /// Reads the values of a total.
    public struct Iterator: AsyncIteratorProtocol {
      /// No value takes the place of one: there are no errors.
      public typealias Failure = Never
      var base: any AsyncIteratorProtocol<Value, Never>
      private var last: Value?

      init(base: any AsyncIteratorProtocol<Value, Never>) { self.base = base }

      /// The next value, as soon as there is another one; `nil` after the last.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async -> Value? {
        while let value = await base.next(isolation: actor) {
          if value == last { continue }
          last = value
          return value
        }
        return nil
      }
    }
  }
}

extension ListSource {
  /// A value of all rows that this source shows, such as their number or a sum.
  ///
  /// Rows that an outline hides do not count: use `total(below:_:)`.
  ///
  /// - Parameter aggregate: What the rows come to, see ``Aggregate``.
  /// - Complexity: O(1). The total is worked out when it is asked for, and then follows each change, with
  ///   O(log n) for each of its rows; a section that moves counts with its rows.
  public nonisolated func total<Value: Equatable & Sendable>(
    _ aggregate: Aggregate<Element, Value>
  ) -> ListTotal<Value> { total(.list, aggregate) }

  /// A value of the rows of one section; while there is no such section, that of no rows.
  ///
  /// - Parameters:
  ///   - section: The section.
  ///   - aggregate: What its rows come to, see ``Aggregate``.
  /// - Complexity: That of `total(_:)`; a section that moves costs nothing.
  public nonisolated func total<Value: Equatable & Sendable>(
    ofSection section: SectionID, _ aggregate: Aggregate<Element, Value>
  ) -> ListTotal<Value> { total(.section(section), aggregate) }

  /// A value of all rows below one row of an outline, hidden ones too.
  ///
  /// It follows the row to another section and, once it has been read, if the row gets another identifier. While there
  /// is no such row, and if it is in no outline, it is that of no rows.
  ///
  /// - Parameters:
  ///   - item: The row, which does not count itself.
  ///   - aggregate: What its descendants come to, see ``Aggregate``.
  /// - Complexity: That of `total(_:)`, for the rows of the whole outline.
  public nonisolated func total<Value: Equatable & Sendable>(
    below item: ItemID, _ aggregate: Aggregate<Element, Value>
  ) -> ListTotal<Value> { total(.descendants(item), aggregate) }

  private nonisolated func total<Value: Equatable & Sendable>(
    _ scope: TotalScope<SectionID, ItemID>, _ aggregate: Aggregate<Element, Value>
  ) -> ListTotal<Value> {
    let makeColumn = aggregate.makeColumn
    let query = ListQuery<Batch, ModelBatch<TotalSection<Value>, NoRow<ItemID>>> { _, _ in
      MeteredStep(
        TotalStep<SectionID, ItemID, Value>(scope, makeColumn), .named(.total, nil))
    }
    return ListTotal(derived { _ in query }, empty: makeColumn().value)
  }
}
