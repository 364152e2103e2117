public import Diffable

extension ListQuery {
  /// Gives each section a model by the number of its rows, such as a title with a count.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that give the same models; `nil` if it equals no other.
  ///   - model: The model of a section with a number of rows.
  /// - Complexity: One call for each section whose rows are inserted, deleted or changed.
  @inlinable public func sectionModels<Section: ModelledSection, Model>(
    id: (any Hashable & Sendable)? = nil,
    _ model: @escaping @Sendable (_ section: Section, _ count: Int) -> Section.SectionModel
  ) -> ListQuery where Output == ModelBatch<Section, Model> {
    sectionModels(id: id, summing: { _ in 0 }) { section, count, _ in model(section, count) }
  }

  /// Gives each section a model by the number of its rows and a sum over them.
  ///
  /// The sum is updated row by row: the old value of a row is subtracted and the new one added. So
  /// a sum of floating-point numbers may be rounded differently from one computed from scratch; sum
  /// integers if that matters. Nothing can be subtracted from a sum that is infinite or not a
  /// number, so it is computed from all rows of the section again. A sum of integers must not
  /// overflow, just as with `+`.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that give the same models; `nil` if it equals no other.
  ///   - value: What a model adds to the sum of its section.
  ///   - model: The model of a section with a number of rows and a sum.
  /// - Complexity: One call of `model` for each section whose rows are inserted, deleted or
  ///   changed; two calls of `value` for each such row, and one for each row of a section whose sum
  ///   was not finite when a row of it was deleted or changed.
  public func sectionModels<Section: ModelledSection, Model, Sum: AdditiveArithmetic & Sendable>(
    id: (any Hashable & Sendable)? = nil, summing value: @escaping @Sendable (Model) -> Sum,
    _ model:
      @escaping @Sendable (_ section: Section, _ count: Int, _ sum: Sum) ->
      Section.SectionModel
  ) -> ListQuery where Output == ModelBatch<Section, Model> {
    var query = closed
    if !query.traits.canSummarise {
      query.pending.identity = []
      query = query.closed
    }
    let summaries = Summaries(
      make: { SectionSums<Section, Model, Sum>(value, model) },
      identity: .named(.sectionModels, id))
    var summarised = ListQuery { [makeChain = query.makeChain] _, areRanked in
      makeChain(summaries, areRanked)
    }
    (summarised.kernels, summarised.moveChange) = (query.kernels, query.moveChange)
    summarised.loader = query.loader
    summarised.traits = query.traits
    summarised.traits.canSummarise = false
    return summarised
  }
}
