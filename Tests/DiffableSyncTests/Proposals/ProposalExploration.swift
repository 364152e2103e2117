/// Lets the events of a world come in every order; each world is explored once.
///
/// Most events of two followers lead to the same world in either order. So an event that was explored
/// *sleeps* while events that have nothing to do with it are explored after it. A world that is met again,
/// with fewer events asleep, explores those that were asleep before (Godefroid's sleep sets).
struct ProposalExploration {
  typealias World = ProposalWorld

  private struct Reached {
    let world: World
    let path: [World.Event]
    /// The events to explore.
    let events: [World.Event]
    let asleep: Set<World.Event>
  }

  /// What breaks a law, and after which events.
  private(set) var counterexample: String?
  /// The events that were asleep in each world that was met.
  private var known: [World.Fingerprint: Set<World.Event>] = [:]

  /// The number of worlds.
  var worldCount: Int { known.count }

  init(_ scripts: [[World.Edit]], faults: World.Faults, areAnswersWhole: Bool) throws {
    let first = try World(scripts, faults: faults, areAnswersWhole: areAnswersWhole)
    var reached: [Reached] = []
    note(first, [], asleep: [], &reached)
    while let start = reached.popLast(), counterexample == nil {
      var asleep = start.asleep
      for event in start.events where counterexample == nil {
        var next = start.world
        try next.perform(event)
        let path = start.path + [event]
        note(next, path, asleep: asleep.filter { $0.isIndependent(of: event) }, &reached)
        asleep.insert(event)
      }
    }
  }

  private mutating func note(
    _ world: World, _ path: [World.Event], asleep: Set<World.Event>, _ reached: inout [Reached]
  ) {
    let events = world.events
    if let fault = events.allSatisfy(\.isFault) ? world.faultAtEnd : world.fault {
      counterexample = "\(fault), after \(path)"
      return
    }
    let fingerprint = world.fingerprint
    let former = known[fingerprint]
    let sleeping = former?.intersection(asleep) ?? asleep
    known[fingerprint] = sleeping
    let awake = events.filter { !asleep.contains($0) && former?.contains($0) ?? true }
    guard !awake.isEmpty else { return }
    reached.append(Reached(world: world, path: path, events: awake, asleep: sleeping))
  }
}

extension ProposalWorld.Event {
  /// Whether it reads or changes the state of the server.
  ///
  /// A revision that is delivered was made before.
  private var isOfServer: Bool {
    switch self {
    case .arrive, .reset: true
    default: false
    }
  }

  /// Whether two events lead to the same world in either order, and neither prevents the other.
  func isIndependent(of other: Self) -> Bool {
    follower != other.follower && !(isOfServer && other.isOfServer)
      && !(isCut && other.isCut) && !(isLoss && other.isLoss)
  }
}
