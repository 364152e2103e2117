import Diffable
public import DiffableViews

/// The laws of list hosts.
///
/// Let your own host show random batches, and check whether it obeys the laws that `ListHost`
/// states:
///
/// ```swift
/// let rows = CellRegistration<RowView, Int> { view, _, item in view.title = "\(item)" }
/// let violations = await ListHostLaw.violations(of: host) { cells, path, item in
///   try cells.dequeueConfiguredReusableCell(using: rows, for: path, item: item)
/// }
/// #expect(violations.isEmpty, "\(violations)")
/// ```
public enum ListHostLaw: String, CaseIterable, Hashable, Sendable {
  /// Each stage is begun before it ends, and the host requests only what is on display.
  case stages
  /// The host has as many sections as the content when a stage or a reset is over.
  case counts
  /// Visible paths exist and ascend, and only they have cells.
  case visibleItems
  /// The cell at a path is the last one that the content returned for its item, or a placeholder.
  case cells
  /// The cells of reloaded items are requested again; reconfigured items keep their cells.
  case refreshes
  /// A reset requests everything again.
  case resets
  /// The viewport has the visible rows, and rows that a batch does not move stay at their places.
  case place
  /// A supplementary view is the last one that the content returned, or a placeholder.
  ///
  /// It is at one path only, and stays if its section is reconfigured.
  case supplementaryViews
}

extension ListHostLaw {
  /// Shows random batches in a host and checks every law after each.
  ///
  /// If the host never ends or releases a stage, this waits forever.
  ///
  /// - Parameters:
  ///   - host: The host, in a state in which it takes stages. Its content is replaced.
  ///   - seeds: The seeds; each gives another list, and other changes.
  ///   - supplementaryProviders: Each makes the supplementary views of a kind for a section. The
  ///     view may be of any type, but must have the same type for the same section. They are not
  ///     called for every section.
  ///   - cellProvider: Makes a cell for an item. The cell may be of any kind, but must be of the
  ///     same kind for the same item. It is not called for every item, so that the host has to show
  ///     placeholders.
  /// - Returns: Every violation, in the order in which they were found; for each seed at most those
  ///   of one batch.
  @MainActor
  public static func violations<Host: ListHost>(
    of host: Host, seeds: Range<UInt64> = 0..<20,
    supplementaryProviders: [String: ListController<Int, Int, Host>.SupplementaryProvider] = [:],
    cellProvider: @escaping ListController<Int, Int, Host>.CellProvider
  ) async -> [LawViolation<ListHostLaw>] {
    var violations: [LawViolation<ListHostLaw>] = []
    for seed in seeds {
      let inspection = HostInspection(
        of: host, seed: seed, supplementaryProviders: supplementaryProviders,
        cellProvider: cellProvider)
      for step in 0..<12 {
        let found = await inspection.showNextBatch()
        guard !found.isEmpty else { continue }
        violations += found.map {
          LawViolation($0.law, "seed \(seed), step \(step): \($0.explanation)")
        }
        break
      }
      host.content = nil
    }
    return violations
  }
}
