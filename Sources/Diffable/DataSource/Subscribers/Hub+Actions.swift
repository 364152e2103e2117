extension Hub {
  /// Performs the actions of an event: ends waits, then releases states.
  ///
  /// - Parameter place: Where states may be released. A subscriber can be dropped on the main
  ///   actor, and the last release of a large state takes milliseconds.
  func perform(_ actions: consuming Machine.Actions, releasing place: ReleasePlace) {
    let released = actions.released
    actions.released = []
    for (waiter, transition) in actions.resumed {
      waiter.resume(returning: transition)
    }
    for waiter in actions.settled {
      waiter.resume()
    }
    if place == .elsewhere {
      let weight = released.reduce(0) { $0 + $1.weight }
      bury(Handover(consume released), weight: weight)
    }
  }

  /// Where states may be released.
  enum ReleasePlace {
    /// The caller runs where a slow release delays no other work.
    case here
    /// The caller may run anywhere, including the main actor.
    case elsewhere
  }
}
