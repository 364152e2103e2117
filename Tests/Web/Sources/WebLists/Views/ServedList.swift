package import Diffable
package import DiffableQueries
package import DiffableSync
package import DiffableTerminal
import Hummingbird

/// A list that pages may follow, each with a search of its own.
package struct ServedList: Sendable {
  /// What it is called in addresses.
  package let name: String
  /// Makes the view of one page.
  let open: @Sendable (SearchQuery) -> any PageView

  /// Serves a source.
  ///
  /// - Parameters:
  ///   - name: What it is called in addresses.
  ///   - source: The list.
  ///   - query: What a page that searches for something shows of the list.
  package init<Source: ListSource, Output: DeltaBatch>(
    _ name: String, _ source: Source,
    query:
      @escaping @Sendable (SearchQuery, ListQuery<Source.Batch, Source.Batch>) ->
      ListQuery<Source.Batch, Output>
  ) where Output.Delta: Encodable, Source.ItemID == Output.ItemID {
    self.name = name
    open = { search in
      DerivedView(source: source.derived { query(search, $0) }, query: query)
    }
  }
}

/// What one page shows of a list.
protocol PageView: Sendable {
  /// Shows what a search finds.
  ///
  /// - Throws: `DataSourceError.finished` if the list has ended.
  func search(for text: SearchQuery) async throws
  /// What follows the view.
  func response(to request: Request, options: DeltaEventOptions) -> Response
}

/// A view that the server works out.
private struct DerivedView<Input: ListBatch, Output: DeltaBatch>: PageView
where Input.ItemID == Output.ItemID, Output.Delta: Encodable {
  let source: DerivedSource<Input, Output>
  let query: @Sendable (SearchQuery, ListQuery<Input, Input>) -> ListQuery<Input, Output>

  func search(for text: SearchQuery) async throws {
    try await source.setQuery { query(text, $0) }
  }

  func response(to request: Request, options: DeltaEventOptions) -> Response {
    source.response(to: request, options: options)
  }
}
