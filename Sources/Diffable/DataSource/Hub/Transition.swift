/// What a subscriber is handed: from the state it shows to a newer one.
///
/// Nothing is computed yet. Like all that the subscription machine deals with, it names states
/// without looking into them.
struct Transition<State: Sendable, Notes: Sendable>: Sendable {
  /// A revision together with its state.
  struct Stop: Sendable {
    let revision: Revision
    let state: State
  }

  /// Where the subscriber stands; `nil` if it has nothing to show yet.
  let base: Stop?
  let target: Stop
  /// The strongest presentation among the revisions passed over.
  let presentation: Presentation
  /// The notes of the revisions passed over, oldest first.
  let notes: [Notes]

  /// Answers whether the target is to be shown from scratch.
  var isReset: Bool { base == nil || presentation == .reset }

  /// Answers whether no other revision lies between base and target.
  var isSingleStep: Bool { base?.revision.next == target.revision }
}
