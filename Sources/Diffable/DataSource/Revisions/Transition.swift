/// What a subscriber is handed: from the state it shows to a newer one.
///
/// Nothing is computed yet. Like all that the subscription machine deals with, it names states
/// without looking into them.
package struct Transition<State: Sendable, Notes: Sendable>: Sendable {
  /// A revision together with its state.
  package struct Stop: Sendable {
    package let revision: Revision
    package let state: State
  }

  /// Where the subscriber stands; `nil` if it has nothing to show yet.
  package let base: Stop?
  package let target: Stop
  /// The strongest presentation among the revisions passed over.
  package let presentation: Presentation
  /// The notes of the revisions passed over, oldest first.
  package let notes: [Notes]

  package init(base: Stop?, target: Stop, presentation: Presentation, notes: [Notes]) {
    self.base = base
    self.target = target
    self.presentation = presentation
    self.notes = notes
  }

  /// Answers whether the target is to be shown from scratch.
  package var isReset: Bool { base == nil || presentation == .reset }

  /// Answers whether no other revision lies between base and target.
  package var isSingleStep: Bool { base?.revision.next == target.revision }
}

/// What a hub hands to a subscriber.
typealias HubTransition = Transition<any RevisionState, any RevisionNotes>
