package import Diffable
package import DiffableQueries
package import DiffableSync
package import DiffableTerminal
import Foundation
import HTTPTypes
import Hummingbird

/// A list that pages may follow, each with a search of its own.
package struct ServedList: Sendable {
  /// What it is called in addresses.
  package let name: String
  /// Makes the view of one page.
  let open: @Sendable (SearchQuery) throws -> any PageView
  /// Answers the text of a proposal with another text; `nil` if pages may only read.
  let accept: (@Sendable (Data) async throws -> Data)?
  /// What the source counts.
  let metrics: @Sendable () -> DataSourceMetrics

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
    accept = nil
    metrics = { source.metrics }
    // Pages with views of their own share no bytes, but the bound of what is kept.
    let encoding = DeltaEncoding<Output>()
    open = { search in
      DerivedView(
        source: source.derived { query(search, $0) }, encoding: encoding, query: query)
    }
  }

  /// Serves a source that pages may change; it cannot be searched.
  ///
  /// All pages follow the source itself, since a proposal starts from a state of the source.
  ///
  /// - Parameters:
  ///   - name: What it is called in addresses.
  ///   - source: The list.
  ///   - decide: Refuses what a page may not change, or alters it.
  package init<Source: EditableListSource>(
    _ name: String, _ source: Source,
    deciding decide:
      @escaping @Sendable (ProposedChange<Source.Batch>, inout Source.Batch.Draft) throws -> Void
  )
  where
    Source.Batch: DeltaBatch, Source.Batch.Delta: Codable, Source.SectionID: Codable,
    Source.ItemID: Codable, Source.Batch.Element: Codable
  {
    self.init(name, whole: source) { try await source.answer(to: $0, decide) }
  }

  /// Serves a source that is kept in a log, and that pages may change; it cannot be searched.
  ///
  /// Its parameters are those of a source in memory.
  package init<Batch: DeltaBatch>(
    _ name: String, _ source: ReplicatedSource<Batch>,
    deciding decide:
      @escaping @Sendable (ProposedChange<Batch>, inout Batch.Draft) throws -> Void
  )
  where
    Batch.Delta: Codable, Batch.SectionID: Codable, Batch.ItemID: Codable, Batch.Element: Codable
  {
    self.init(name, whole: source) { try await source.answer(to: $0, decide) }
  }

  private init<Source: ListSource>(
    _ name: String, whole source: Source, accept: @escaping @Sendable (Data) async throws -> Data
  ) where Source.Batch: DeltaBatch, Source.Batch.Delta: Encodable {
    self.name = name
    metrics = { source.metrics }
    self.accept = accept
    let encoding = DeltaEncoding<Source.Batch>()
    open = { search in
      let view = WholeView(source: source, encoding: encoding)
      try view.search(for: search)
      return view
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
where Input.ItemID == Output.ItemID {
  let source: DerivedSource<Input, Output>
  let encoding: DeltaEncoding<Output>
  let query: @Sendable (SearchQuery, ListQuery<Input, Input>) -> ListQuery<Input, Output>

  func search(for text: SearchQuery) async throws {
    try await source.setQuery { query(text, $0) }
  }

  func response(to request: Request, options: DeltaEventOptions) -> Response {
    source.response(to: request, options: options, encoding: encoding)
  }
}

/// A list as it is, which all pages share.
private struct WholeView<Source: ListSource>: PageView where Source.Batch: DeltaBatch {
  let source: Source
  let encoding: DeltaEncoding<Source.Batch>

  func search(for text: SearchQuery) throws {
    guard text.isEmpty else {
      throw HTTPError(.badRequest, message: "This list cannot be searched.")
    }
  }

  func response(to request: Request, options: DeltaEventOptions) -> Response {
    source.response(to: request, options: options, encoding: encoding)
  }
}
