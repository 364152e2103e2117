/// The contents of a hub at one moment, for debugging.
struct HubOverview: Sendable {
  let live: HubTransition.Stop
  let oldest: Revision
  let isFinished: Bool
  /// One line for each subscriber, the oldest first.
  let subscribers: [String]
  var metrics: DataSourceMetrics
}
