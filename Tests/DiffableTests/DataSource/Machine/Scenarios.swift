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

  private static func subscribers(
    limits: Int...
  ) -> [(limit: Int, after: Revision?, isLate: Bool)] {
    limits.map { ($0, nil, false) }
  }

  static let everyPullRequest: [Named<Scenario>] = [
    Named(
      name: "3 writers and 2 subscribers, 7 events",
      value: Scenario(
        subscribers: subscribers(limits: 0, 2),
        programs: [
          writer(1), writer(1, .immediate), writer(1), reader(0, 2), reader(1, 2),
        ]),
      runs: 5112),
    Named(
      name: "a subscriber that is slow, with hardly any history",
      value: Scenario(
        historyLength: 1, notesPerGroup: 1,
        subscribers: subscribers(limits: 1, 0),
        programs: [writer(3, .immediate), writer(2), reader(0, 2), reader(1, 2)]),
      runs: 33_220),
    Named(
      name: "no history at all",
      value: Scenario(
        historyLength: 0, notesPerGroup: 1,
        subscribers: subscribers(limits: 3, 0),
        programs: [
          writer(4), [.next(0), .next(0), .drop(0)], [.next(1), .next(1)],
        ]),
      runs: 5064),
    Named(
      name: "resets among changes",
      value: Scenario(
        historyLength: 1,
        subscribers: subscribers(limits: 0),
        programs: [
          [.publish(.immediate, notes: false), .publish(.reset, notes: true)], writer(2),
          reader(0, 4),
        ]),
      runs: 930),
    Named(
      name: "cancel and finish against next",
      value: Scenario(
        subscribers: subscribers(limits: 0, 0),
        programs: [writer(2), reader(0, 2), reader(1, 2), [.drop(0)], [.finish]]),
      runs: 15_259),
    Named(
      name: "the source is dropped",
      value: Scenario(
        historyLength: 1,
        subscribers: subscribers(limits: 0, 2),
        programs: [writer(2) + [.close], reader(0, 3), reader(1, 3)]),
      runs: 16_142),
    Named(
      name: "two tasks share a stream",
      value: Scenario(
        subscribers: subscribers(limits: 0),
        programs: [writer(3), reader(0, 2), reader(0, 2)]),
      runs: 1598),
    Named(
      name: "two tasks share a stream that ends",
      value: Scenario(
        subscribers: subscribers(limits: 4),
        programs: [writer(2), [.finish], reader(0, 2), reader(0, 2), [.drop(0)]]),
      runs: 21_024),
    Named(
      name: "subscribers that come late and resume",
      value: Scenario(
        historyLength: 1,
        subscribers: [(0, Revision(1), true), (2, .empty, true)],
        programs: [
          writer(3), [.subscribe(0), .next(0), .next(0)], [.subscribe(1), .next(1), .next(1)],
        ]),
      runs: 9717),
    Named(
      name: "settled against next and drop",
      value: Scenario(
        subscribers: subscribers(limits: 0, 0),
        programs: [
          writer(2), reader(0, 2), [.next(1), .drop(1)], [.settle(Revision(1))],
          [.settle(Revision(2))],
        ]),
      runs: 11_592),
    Named(
      name: "subscribers that wait for each other inside their loops",
      value: Scenario(
        subscribers: subscribers(limits: 0, 0),
        programs: [
          writer(1), [.next(0), .settle(Revision(2)), .next(0)],
          [.next(1), .settle(Revision(2)), .next(1)], [.settle(Revision(1))],
        ]),
      runs: 1938),
    Named(
      name: "settled against cancellation and finish",
      value: Scenario(
        subscribers: subscribers(limits: 0),
        programs: [
          writer(1), reader(0, 1), [.settle(Revision(1))], [.cancel(process: 2)], [.finish],
        ]),
      runs: 120),
    Named(
      name: "settled against cancellation",
      value: Scenario(
        subscribers: subscribers(limits: 0),
        programs: [
          writer(2), reader(0, 1), [.settle(Revision(1)), .settle(Revision(2))],
          [.cancel(process: 2)],
        ]),
      runs: 170),
    Named(
      name: "subscribers that poll before they ask, and after",
      value: Scenario(
        historyLength: 1,
        subscribers: subscribers(limits: 0, 2),
        programs: [
          writer(2), writer(1, .immediate), [.poll(0), .next(0), .poll(0)], [.poll(1), .next(1)],
        ]),
      runs: 5889),
    Named(
      name: "a poll against settled, drop and finish",
      value: Scenario(
        subscribers: subscribers(limits: 0),
        programs: [
          writer(2), [.poll(0), .next(0)], [.drop(0)], [.settle(Revision(1))], [.finish],
        ]),
      runs: 1840),
    Named(
      name: "a subscriber that rests, against settled",
      value: Scenario(
        subscribers: subscribers(limits: 0),
        programs: [
          writer(2), [.next(0), .rest(0), .poll(0), .next(0)], [.settle(Revision(1))],
          [.settle(Revision(2))],
        ]),
      runs: 1312),
    Named(
      name: "undo and redo among writers, with a subscriber",
      value: Scenario(
        historyLength: 3,
        subscribers: subscribers(limits: 0),
        programs: [
          [.publishNamed, .groupUndo(2), .reverse(.undo, .named), .reverse(.redo, .named)],
          [.publish(.animated, notes: true), .reverse(.undo, .everything)],
          [.passOver(.undo, .everything)], reader(0, 2),
        ]),
      runs: 7781),
  ]

  static let long: [Named<Scenario>] = [
    Named(
      name: "3 writers and 2 subscribers, 2 events each",
      value: Scenario(
        subscribers: subscribers(limits: 0, 2),
        programs: [
          writer(2), writer(2, .immediate), writer(2), reader(0, 2), reader(1, 2),
        ]),
      runs: 467_460),
    Named(
      name: "3 writers, 2 events each, and 2 subscribers, 3 events each",
      value: Scenario(
        historyLength: 2, notesPerGroup: 1,
        subscribers: subscribers(limits: 0, 2),
        programs: [
          writer(2), writer(2, .immediate), writer(2), reader(0, 3), reader(1, 3),
        ]),
      runs: 467_460),
  ]

  static let large: [Named<Scenario>] = [
    Named(
      name: "3 writers and 2 subscribers, 4 events each",
      value: Scenario(
        subscribers: subscribers(limits: 0, 3),
        programs: [
          writer(4), writer(4, .immediate), writer(4), reader(0, 4), reader(1, 4),
        ])),
    Named(
      name: "many subscribers that stop, come late, resume and go, with hardly any history",
      value: Scenario(
        historyLength: 2, notesPerGroup: 1,
        subscribers: [
          (0, nil, false), (0, nil, false), (3, nil, false),
          (0, Revision(3), true), (2, Revision(5), true),
        ],
        programs: [
          writer(9), writer(9, .immediate), [.next(0), .next(0)],
          [.next(1), .next(1), .next(1), .drop(1)], reader(2, 9),
          [.subscribe(3), .next(3), .next(3), .drop(3)],
          [.subscribe(4), .next(4), .next(4), .next(4)],
        ])),
    Named(
      name: "settled among many",
      value: Scenario(
        subscribers: subscribers(limits: 0, 0, 3),
        programs: [
          writer(6), reader(0, 4) + [.settle(Revision(5))] + reader(0, 4),
          [.next(1), .settle(Revision(4)), .next(1), .drop(1)],
          [.settle(Revision(3)), .settle(Revision(6))], reader(2, 8), [.cancel(process: 3)],
        ])),
  ]
}
