extension Hub {
  /// Performs the actions of an event: ends waits, then releases states and notes.
  ///
  /// - Parameter place: Where they may be released. A subscriber can be dropped on the main
  ///   actor, and the last release of a large state takes milliseconds.
  func perform(_ actions: consuming Machine.Actions, releasing place: ReleasePlace) {
    let released = actions.released
    actions.released = .init()
    for (waiter, transition) in actions.resumed {
      waiter.resume(returning: transition)
    }
    for waiter in actions.settled {
      waiter.resume()
    }
    if place == .elsewhere {
      let weight =
        released.states.reduce(0) { $0 + $1.weight } + released.notes.reduce(0) { $0 + $1.weight }
      releaseInTask(Handover(consume released), weight: weight)
    }
  }

  /// Where states and notes may be released.
  enum ReleasePlace {
    /// The caller runs where a slow release delays no other work.
    case here
    /// The caller may run anywhere, including the main actor.
    case elsewhere
  }
}
