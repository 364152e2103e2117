@testable import Diffable
@testable import DiffableSync

extension ReplicationWorld {
  /// The participant whose list an event may change; the others go on being shared by copies.
  func changedParticipant(_ event: Event) -> Int? {
    switch event {
    case .start(let index), .fill(let index), .answer(let index), .receive(let index),
      .loseAnswer(let index), .giveUp(let index, _):
      index
    case .loseOffer(let number), .delay(let number):
      messages.first { $0.number == number }?.participant
    case .allow(let index), .complete(let index), .expire(let index): index
    case .arrive, .duplicate, .store, .mishap: nil
    }
  }

  /// Gives this world a list of its own before it changes the list.
  ///
  /// The new list goes the shortest way to the state of the old one, by the same functions. Law 1 has
  /// been checked, so the old list shows what the entries have made.
  func own(_ index: Int) throws {
    guard !isKnownUniquelyReferenced(&participants[index].ownership) else { return }
    let old = participants[index].list
    var list = makeList()
    if let append = participants[index].append {
      let decision = old.decision(on: append.first)
      if decision != .lost {
        try jump(&list, to: append.base)
        for entry in append.entries {
          guard let meaning = meanings[entry.id] else { continue }
          _ = try propose(meaning.edit, meaning.item, as: entry.id, in: &list)
        }
        if decision == .next { list.accept(append.first) }
      }
    }
    try jump(&list, to: old.revision)
    participants[index].list = list
    participants[index].ownership = Ownership()
  }

  private func jump(_ list: inout List, to revision: Revision) throws {
    guard revision > list.revision else { return }
    var state = State()
    state.appendSections([0])
    try state.appendItems(expectedStates[revision.number], toSection: 0)
    let batch = UpdateBatch<Int, Int>(
      showingValid: state, epoch: list.core.hub.epoch, at: places[revision.number])
    try list.jump(to: StoredState(revision: revision, reset: try list.coder.encode(batch.delta)))
  }
}
