/// Rows that show the states of the loads, such as a spinner or an error with a button.
///
/// They are in separate sections, before and after the rows of the pages. They are inserted and
/// deleted in the revisions that also hold the pages:
///
/// ```swift
/// PageStatusRows(before: nil, after: .footer) { load, state in
///   switch state {
///   case .loading: Row.spinner(load)
///   case .failed(let error): Row.failure(load, "\(error)")
///   case .idle, .endReached: nil
///   }
/// }
/// ```
///
/// The sections belong to the loader: rows that others insert in them are deleted with the next
/// state.
public struct PageStatusRows<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
>: Sendable where Model.ID: Sendable {
  /// The section before the rows, for the states of the refresh and of the start; `nil` for none.
  public let before: SectionID?
  /// The section after the rows, for the state of the end; `nil` for none.
  public let after: SectionID?
  /// Makes the row that shows a state; `nil` for no row.
  public let row: @Sendable (PageLoad, PageLoadState) -> Model?

  /// Creates status rows.
  ///
  /// - Parameters:
  ///   - before: The section before the rows, for the states of the refresh and of the start.
  ///   - after: The section after the rows, for the state of the end.
  ///   - row: Makes the row that shows a state, or `nil` for no row. It is called while the source
  ///     is updated, so it should be quick. Each row needs an identifier that is unique in the
  ///     list.
  public init(
    before: SectionID? = nil, after: SectionID? = nil,
    row: @escaping @Sendable (PageLoad, PageLoadState) -> Model?
  ) {
    (self.before, self.after, self.row) = (before, after, row)
  }
}
