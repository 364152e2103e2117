/// Rows that a loader adds to those of its pages: some show the states of its loads, such as a spinner or an
/// error with a button, and placeholders stand for what is not loaded.
///
/// Those that show states are in separate sections, before and after the rows of the pages. They are
/// inserted and deleted in the revisions that also hold the pages:
///
/// ```swift
/// PageLoaderRows(before: nil, after: .footer) { load, state in
///   switch state {
///   case .loading: Row.spinner(load)
///   case .failed(let error): Row.failure(load, "\(error)")
///   case .idle, .endReached: nil
///   }
/// }
/// ```
///
/// The sections belong to the loader: rows that others insert in them are deleted with the next
/// state. A row for a state that others move to another section stays there as it is.
public struct PageLoaderRows<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
>: Sendable where Model.ID: Sendable {
  /// The section before the rows, for the states of the refresh and of the start; `nil` for none.
  package let before: SectionID?
  /// The section after the rows, for the state of the end; `nil` for none.
  package let after: SectionID?
  /// Makes the row that shows a state; `nil` for no row.
  package let status: (@Sendable (PageLoad, PageLoadState) -> Model?)?
  /// Makes the placeholder of a row that is not loaded, by its index in the backend's list.
  package let placeholder: (@Sendable (Int) -> Model)?

  /// Creates the rows; by default there are none.
  ///
  /// The functions are called on the executor of the source, mostly while it is updated. So they should be quick.
  ///
  /// - Parameters:
  ///   - before: The section before the rows, for the states of the refresh and of the start.
  ///   - after: The section after the rows, for the state of the end.
  ///   - status: Makes the row that shows a state, or `nil` for no row. Each row needs an identifier
  ///     that is unique in the list.
  ///   - placeholder: Makes the placeholder of a row that is not loaded yet, by its index in the
  ///     whole list of the backend, from 0. Its identifier must depend only on the index and differ
  ///     from the identifiers of all other rows. There are placeholders if pages have
  ///     ``Page/countBefore`` or ``Page/countAfter``.
  public init(
    before: SectionID? = nil, after: SectionID? = nil,
    status: (@Sendable (PageLoad, PageLoadState) -> Model?)? = nil,
    placeholder: (@Sendable (Int) -> Model)? = nil
  ) {
    (self.before, self.after) = (before, after)
    (self.status, self.placeholder) = (status, placeholder)
  }
}
