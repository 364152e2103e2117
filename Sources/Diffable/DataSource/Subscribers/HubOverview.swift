/// What there is in a hub at one moment, for whoever debugs a source.
struct HubOverview: Sendable {
  let live: HubTransition.Stop
  let oldest: Revision
  let isFinished: Bool
  /// One line for each subscriber, the oldest first.
  let subscribers: [String]
  var metrics: DataSourceMetrics
}
