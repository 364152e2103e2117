/// What a subscriber receives: the way from the state that it shows to a newer one.
///
/// Nothing is computed yet. Like everything in the subscription machine, it refers to states
/// without reading them.
package struct Transition<State: Sendable, Notes: Sendable>: Sendable {
  /// A revision together with its state.
  package struct Stop: Sendable {
    package let revision: Revision
    package let state: State
  }

  /// The state that the subscriber shows; `nil` if it has nothing to show yet.
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

  /// Whether the target is to be shown from scratch.
  package var isReset: Bool { base == nil || presentation == .reset }

  /// Whether the target is the revision right after the base.
  package var isSingleStep: Bool { base?.revision.next == target.revision }
}

/// What a hub sends to a subscriber.
package typealias HubTransition = Transition<RevisionState, any RevisionNotes>
