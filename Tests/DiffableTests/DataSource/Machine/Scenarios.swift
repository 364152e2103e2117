import Diffable

/// Small sets of events, named by what meets in them.
enum Scenarios {
  private static func writer(_ count: Int, _ presentation: Presentation = .animated) -> [Operation]
  {
    Array(repeating: .publish(presentation, notes: true), count: count)
  }

  private static func reader(_ number: Int, _ count: Int) -> [Operation] {
    Array(repeating: .next(number), count: count)
  }

  private typealias Subscriber = (limit: Int, after: Revision?, isLate: Bool)

  private static func subscribers(_ limits: Int...) -> [Subscriber] {
    limits.map { ($0, nil, false) }
  }

  private static func scenario(
    _ name: String, runs: Int = 0, history: Int = 64, notes: Int = 16, subscribers: [Subscriber],
    _ programs: [[Operation]]
  ) -> Named<Scenario> {
    let scenario = Scenario(
      historyLength: history, notesPerGroup: notes, subscribers: subscribers, programs: programs)
    return Named(name: name, value: scenario, runs: runs)
  }

  static let everyPullRequest: [Named<Scenario>] = [
    scenario(
      "3 writers and 2 subscribers, 7 events", runs: 5112, subscribers: subscribers(0, 2),
      [writer(1), writer(1, .immediate), writer(1), reader(0, 2), reader(1, 2)]),
    scenario(
      "a subscriber that is slow, with hardly any history", runs: 33_220, history: 1, notes: 1,
      subscribers: subscribers(1, 0),
      [writer(3, .immediate), writer(2), reader(0, 2), reader(1, 2)]),
    scenario(
      "no history at all", runs: 5064, history: 0, notes: 1, subscribers: subscribers(3, 0),
      [writer(4), [.next(0), .next(0), .drop(0)], [.next(1), .next(1)]]),
    scenario(
      "resets among changes", runs: 930, history: 1, subscribers: subscribers(0),
      [
        [.publish(.immediate, notes: false), .publish(.reset, notes: true)], writer(2),
        reader(0, 4),
      ]),
    scenario(
      "cancel and finish against next", runs: 15_259, subscribers: subscribers(0, 0),
      [writer(2), reader(0, 2), reader(1, 2), [.drop(0)], [.finish]]),
    scenario(
      "the source is dropped", runs: 16_142, history: 1, subscribers: subscribers(0, 2),
      [writer(2) + [.close], reader(0, 3), reader(1, 3)]),
    scenario(
      "two tasks share a stream", runs: 1598, subscribers: subscribers(0),
      [writer(3), reader(0, 2), reader(0, 2)]),
    scenario(
      "two tasks share a stream that ends", runs: 21_024, subscribers: subscribers(4),
      [writer(2), [.finish], reader(0, 2), reader(0, 2), [.drop(0)]]),
    scenario(
      "subscribers that come late and resume", runs: 9717, history: 1,
      subscribers: [(0, Revision(1), true), (2, .empty, true)],
      [writer(3), [.subscribe(0), .next(0), .next(0)], [.subscribe(1), .next(1), .next(1)]]),
    scenario(
      "settled against next and drop", runs: 11_592, subscribers: subscribers(0, 0),
      [
        writer(2), reader(0, 2), [.next(1), .drop(1)], [.settle(Revision(1))],
        [.settle(Revision(2))],
      ]),
    scenario(
      "subscribers that wait for each other inside their loops", runs: 1938,
      subscribers: subscribers(0, 0),
      [
        writer(1), [.next(0), .settle(Revision(2)), .next(0)],
        [.next(1), .settle(Revision(2)), .next(1)], [.settle(Revision(1))],
      ]),
    scenario(
      "settled against cancellation and finish", runs: 120, subscribers: subscribers(0),
      [writer(1), reader(0, 1), [.settle(Revision(1))], [.cancel(process: 2)], [.finish]]),
    scenario(
      "settled against cancellation", runs: 170, subscribers: subscribers(0),
      [
        writer(2), reader(0, 1), [.settle(Revision(1)), .settle(Revision(2))],
        [.cancel(process: 2)],
      ]),
    scenario(
      "subscribers that poll before they ask, and after", runs: 5889, history: 1,
      subscribers: subscribers(0, 2),
      [writer(2), writer(1, .immediate), [.poll(0), .next(0), .poll(0)], [.poll(1), .next(1)]]),
    scenario(
      "a poll against settled, drop and finish", runs: 1840, subscribers: subscribers(0),
      [writer(2), [.poll(0), .next(0)], [.drop(0)], [.settle(Revision(1))], [.finish]]),
    scenario(
      "a subscriber that rests, against settled", runs: 1312, subscribers: subscribers(0),
      [
        writer(2), [.next(0), .rest(0), .poll(0), .next(0)], [.settle(Revision(1))],
        [.settle(Revision(2))],
      ]),
    scenario(
      "undo and redo among writers, with a subscriber", runs: 7781, history: 3,
      subscribers: subscribers(0),
      [
        [.publishNamed, .groupUndo(2), .reverse(.undo, .named), .reverse(.redo, .named)],
        [.publish(.animated, notes: true), .reverse(.undo, .everything)],
        [.passOver(.undo, .everything)], reader(0, 2),
      ]),
  ]

  static let long: [Named<Scenario>] = [
    scenario(
      "3 writers and 2 subscribers, 2 events each", runs: 467_460, subscribers: subscribers(0, 2),
      [writer(2), writer(2, .immediate), writer(2), reader(0, 2), reader(1, 2)]),
    scenario(
      "3 writers, 2 events each, and 2 subscribers, 3 events each", runs: 467_460, history: 2,
      notes: 1, subscribers: subscribers(0, 2),
      [writer(2), writer(2, .immediate), writer(2), reader(0, 3), reader(1, 3)]),
  ]

  static let large: [Named<Scenario>] = [
    scenario(
      "3 writers and 2 subscribers, 4 events each", subscribers: subscribers(0, 3),
      [writer(4), writer(4, .immediate), writer(4), reader(0, 4), reader(1, 4)]),
    scenario(
      "many subscribers that stop, come late, resume and go, with hardly any history", history: 2,
      notes: 1,
      subscribers: [
        (0, nil, false), (0, nil, false), (3, nil, false), (0, Revision(3), true),
        (2, Revision(5), true),
      ],
      [
        writer(9), writer(9, .immediate), [.next(0), .next(0)],
        [.next(1), .next(1), .next(1), .drop(1)], reader(2, 9),
        [.subscribe(3), .next(3), .next(3), .drop(3)],
        [.subscribe(4), .next(4), .next(4), .next(4)],
      ]),
    scenario(
      "settled among many", subscribers: subscribers(0, 0, 3),
      [
        writer(6), reader(0, 4) + [.settle(Revision(5))] + reader(0, 4),
        [.next(1), .settle(Revision(4)), .next(1), .drop(1)],
        [.settle(Revision(3)), .settle(Revision(6))], reader(2, 8), [.cancel(process: 3)],
      ]),
  ]
}
