import Diffable
public import DiffableViews

/// What holds for every list host.
///
/// Let a host of your own show random batches, and see whether it keeps the laws that `ListHost`
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
  /// Each stage is begun before it ends, and the host asks only for what is on display.
  case stages
  /// The host has as many sections as the content, once a stage or a reset is over.
  case counts
  /// Visible paths exist and ascend, and they and no others have cells.
  case visibleItems
  /// The cell at a path is the one that the content gave for its item last, or a placeholder where
  /// it gave none.
  case cells
  /// Reloaded items are asked for again, reconfigured ones keep their cells.
  case refreshes
  /// A reset asks for everything again.
  case resets
  /// Anchors are visible, and stay so.
  case anchors
  /// A supplementary view is the one that the content gave for its section last, or a placeholder where
  /// it gave none, and stays where its section is reconfigured.
  case supplementaryViews
}

/// A law of list hosts that does not hold, and when.
public struct ListHostViolation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The law.
  public let law: ListHostLaw
  /// What was expected and what was found, and the batch that the host was shown.
  public let explanation: String

  /// The law and the explanation.
  public var description: String { "\(law.rawValue): \(explanation)" }
}

extension ListHostLaw {
  /// Shows random batches in a host and checks every law after each.
  ///
  /// A stage that the host keeps and never ends keeps this waiting for ever.
  ///
  /// - Parameters:
  ///   - host: The host, in a state in which it takes stages. Its content is replaced.
  ///   - seeds: Each makes another list, and other changes to it.
  ///   - supplementaryProviders: Each makes the supplementary views of a kind for a section; of any
  ///     kind of view, but the same for the same section. They are not asked for every section.
  ///   - cellProvider: Makes a cell for an item; of any kind, but the same for the same item. It is
  ///     not asked for every item, so that the host has to show placeholders.
  /// - Returns: Every violation, in the order they were found; at most those of one batch for each
  ///   seed.
  @MainActor
  public static func violations<Host: ListHost>(
    of host: Host, seeds: Range<UInt64> = 0..<20,
    supplementaryProviders: [String: ListController<Int, Int, Host>.SupplementaryProvider] = [:],
    cellProvider: @escaping ListController<Int, Int, Host>.CellProvider
  ) async -> [ListHostViolation] {
    var violations: [ListHostViolation] = []
    for seed in seeds {
      let inspection = HostInspection(
        of: host, seed: seed, supplementaryProviders: supplementaryProviders,
        cellProvider: cellProvider)
      for step in 0..<12 {
        let found = await inspection.showNextBatch()
        guard !found.isEmpty else { continue }
        violations += found.map {
          .init(law: $0.law, explanation: "seed \(seed), step \(step): \($0.explanation)")
        }
        break
      }
      host.content = nil
    }
    return violations
  }
}
