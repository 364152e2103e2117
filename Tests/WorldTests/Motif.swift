import Diffable
import DiffableTesting
import DiffableViews

/// Events that only together make something happen, and that seldom come together by chance.
enum Motif: CaseIterable {
  /// Two steps become one, of which one only changes a model that a tree hides.
  case hiddenModelInGroup
  /// Of three lists that supersede each other, the first is to be shown from scratch.
  case resetSuperseded
  /// A row gets three names, while a state with the second one is live.
  case renamedThrice
  /// A row that both lists have moves in one of them, and is shown again in the other.
  case sharedRowMoves
  /// A query begins with a change that marks and moves rows.
  case markedAndAskedAgain
  /// The program selects rows inside a range, and the range shrinks.
  case selectedInsideRange
  /// A range begins at a row that is called otherwise by then.
  case renamedRange
  /// The answer to an edit is lost, and then the user takes it back.
  case undoneWithoutAnswer
  /// An edit that was never sent, as another one was on the road, is withdrawn.
  case withdrawn
  /// Others rename a row that a user has deleted, and the user takes that back.
  case renamedAndBack
  /// Of two edits that become one proposal of others' changes, one only changes a model that a tree hides.
  case hiddenModelProposed
  /// An undo that waits for a write is no longer wanted.
  case cancelledUndo
  /// A mirror gets changes that change nothing, from a server of another life.
  case nothingAfterRestart
  /// Rows that users have changed and deleted come with another page.
  case repeatedRows
  /// Everything is loaded once more after users and the backend have changed the same rows.
  case refreshedRows
  /// A refresh gives up as there is always more and never anything new, and goes on later.
  case refreshWithoutEnd
  /// Pages are dropped on a long way, with what users have made of their rows and put between them, and come back.
  case longWay
  /// The same, while a view says where it is.
  case scrolledPages
  /// Rows are on two pages, and one of these is dropped.
  case sharedPages
  /// A tree is made of pages, of which some are dropped and some have the same rows, and they come back.
  case nestedPages
  /// Pages are loaded and dropped, and users take that back.
  case undonePages
  /// A row on the screen grows, the list changes around it, and the row shrinks again.
  case grownRow
  /// A view becomes so long that it shows the end of the list, and short again; or narrow, and wide again.
  case resizedView
  /// A user holds a list beyond an end while rows come there.
  case pulledView
  /// A user types into a search field, and takes it back, while others write.
  case typed

  func events(_ random: inout SplitMix64, _ spec: Spec) -> [WorldEvent] {
    let (list, part, at) = (
      random.number(below: 2), random.number(below: 8), random.number(below: 9)
    )
    let paged = spec.list(ofPages: part)
    func write(_ edits: Edit...) -> WorldEvent { .write(list: list, user: 0, edits) }
    return switch self {
    case .hiddenModelInGroup:
      [
        write(.setText(at: at, 7)), write(.setHidden(at: at, 8)), .group(list: list, back: 2),
        .read(part),
        .undo(list: list, named: random.chance(oneIn: 2)), .read(part),
        .redo(list: list, named: false),
      ]
    case .resetSuperseded:
      [
        .enqueue(
          list: list,
          [
            [.move(from: at, before: 0)], [.mark(at: at, count: 2, reload: true)],
            [.rename(at: at)],
          ],
          first: .reset), .read(part),
      ]
    case .renamedThrice:
      [
        .read(part), write(.rename(at: at)), .look(at: part), write(.rename(at: at)),
        .read(part + 1),
        write(.rename(at: at), .mark(at: at, count: 1, reload: random.chance(oneIn: 2))),
        .read(part),
      ]
    case .sharedRowMoves:
      [
        .read(part), .write(list: 0, user: 0, [.move(from: 1 + at % 3, before: at)]),
        .write(list: 1, user: 1, [.mark(at: 5 + at % 3, count: 1, reload: true)]), .read(part),
      ]
    case .markedAndAskedAgain:
      [
        .read(part), write(.mark(at: at, count: 3, reload: false), .move(from: at, before: 2)),
        .setQuery(of: part, .random(&random)), .read(part),
      ]
    case .selectedInsideRange:
      [
        .host(list, .tap(at % 3)), .host(list, .extend(to: 7)),
        .host(list, .select(at: 2, count: 3)),
        .host(list, .extend(to: 3)),
      ]
    case .undoneWithoutAnswer:
      [
        .desk(part, .edit([.random(&random)])), .desk(part, .arrive(isRefused: false)),
        .desk(part, .lose),
        .desk(part, random.chance(oneIn: 2) ? .deliver : .edit([.setText(at: at, 3)])),
        .desk(part, .undo), .desk(part, .arrive(isRefused: random.chance(oneIn: 3))),
        .desk(part, .answer), .desk(part, .redo),
      ]
    case .withdrawn:
      [
        .desk(part, .edit([.random(&random)])), .desk(part, .edit([.random(&random)])),
        .desk(part, .undo), .desk(part, .arrive(isRefused: false)), .desk(part, .undo),
        .desk(part, .answer), .desk(part, .redo),
      ]
    case .renamedAndBack:
      [
        write(.rename(at: at)), .desk(part, .edit([.delete(at: at, count: 1 + part % 2)])),
        .desk(part, at % 2 == 0 ? .deliver : .repeatLast), .desk(part, .undo),
        .host(list, .select(at: at, count: 2)),
        part < 4 ? .desk(part, .deliver) : .host(list, .extend(to: at + 1)),
        .desk(part, .arrive(isRefused: false)),
        .desk(part, at % 3 == 0 ? .deliver : .answer), .desk(part, .answer), .desk(part, .redo),
      ]
    case .hiddenModelProposed:
      [
        .desk(part, .edit([.setHidden(at: at, 6)])), .desk(part, .edit([.setText(at: at, 7)])),
        .read(part), .desk(part, .arrive(isRefused: false)), write(.fold(at: at, isExpanded: true)),
        .read(part), .desk(part, .answer), .read(part + 1),
      ]
    case .cancelledUndo:
      [
        .member(part, .edit([.random(&random)])), .member(part, .edit([.random(&random)])),
        .member(part, random.chance(oneIn: 2) ? .undo : .redo),
        .member(part + 1, .edit([.random(&random)])),
        .member(part, .cancel), .member(part + 1, .offer), .member(part, .offer),
        .member(part, .receive(1)), .member(part, .undo), .member(part, .offer),
        .member(part, .answer),
      ]
    case .nothingAfterRestart:
      [
        .link(part, .restart), .link(part, .deliver),
        .desk(at, .edit([.mark(at: at, count: 2, reload: false)])), .read(part),
        .desk(at, .arrive(isRefused: false)), .link(part, .deliver), .read(part),
        .link(part, .lose), .link(part, .deliver), .read(part),
      ]
    case .repeatedRows:
      [
        .pages(part, .load(atStart: false)), .pages(part, .answer(lie: 0)),
        .pages(part, .answer(lie: 0)), .pages(part, .answer(lie: 0)),
        .write(list: paged, user: 0, [.setText(at: at, 8), .delete(at: at + 1, count: 1)]),
        .pages(part, .load(atStart: at < 5)), .pages(part, .answer(lie: 2)), .read(at),
        .pages(part, .change(1 + 6 * at)), .pages(part, .load(atStart: false)),
        .pages(part, .answer(lie: 2)), .pages(part, .change(1 + 6 * at)),
        .pages(part, .load(atStart: false)), .pages(part, .answer(lie: 2)), .read(at),
      ]
    case .refreshedRows:
      [
        .pages(part, .load(atStart: false)), .pages(part, .answer(lie: 0)),
        .pages(part, .answer(lie: 0)), .pages(part, .load(atStart: true)),
        .pages(part, .answer(lie: 0)), .read(at),
        .write(list: paged, user: 0, [.setText(at: at, 8), .delete(at: at + 1, count: 1)]),
        .pages(part, .change(4 + 6 * at)), .pages(part, .change(7 * at)), .pages(part, .refresh),
        .pages(part, .answer(lie: 0)), .pages(part, .change(2 + 6 * at)),
        .pages(part, .answer(lie: 2)), .pages(part, .answer(lie: at)),
        .pages(part, .answer(lie: 0)), .read(at),
      ]
    case .refreshWithoutEnd:
      [.pages(part, .load(atStart: false)), .pages(part, .answer(lie: 0)), .pages(part, .refresh)]
        + [.pages(part, .answer(lie: 0))]
        + Array(repeating: .pages(part, .answer(lie: 4)), count: 11)
        // Rows that come meanwhile let it begin again.
        + (at < 5 ? [] : [.pages(part, .load(atStart: at < 7)), .pages(part, .answer(lie: 0))])
        + [.pages(part, .retry)]
        + Array(repeating: .pages(part, .answer(lie: 0)), count: 3) + [.read(at)]
    case .longWay:
      [.pages(part, .load(atStart: false)), .pages(part, .answer(lie: 0))]
        + [1, 2].flatMap { count -> [WorldEvent] in
          [
            .write(
              list: paged, user: 0,
              [.insertAfter(at: at), count == 1 ? .setText(at: at, 9) : .random(&random)])
          ]
            + Array(
              repeating: [
                .pages(part, .load(atStart: at % 2 == count % 2)), .pages(part, .answer(lie: 0)),
              ], count: 5
            ).joined()
        } + [.read(at)]
    case .scrolledPages:
      [
        .pages(part, .load(atStart: at < 5)), .pages(part, .answer(lie: 0)),
        .write(list: paged, user: 0, [.insertAfter(at: at), .insert(at: at + 2, count: 2)]),
      ]
        + [3, 5, 8, 2, 0, 1, 0].flatMap { place -> [WorldEvent] in
          [
            .pages(part, .show(at: place, count: 2)), .pages(part, .answer(lie: 0)),
            .pages(part, .answer(lie: 0)),
          ]
        } + [.pages(part, .refresh), .pages(part, .answer(lie: 0)), .read(at)]
    case .sharedPages:
      [.pages(part, .load(atStart: false)), .pages(part, .answer(lie: 0))]
        + Array(
          repeating: [
            .pages(part, .load(atStart: at < 5)), .pages(part, .answer(lie: 2)),
            .pages(part, .load(atStart: at < 2)), .pages(part, .answer(lie: at % 4)),
          ], count: 3
        ).joined()
        + [.pages(part, .refresh)] + Array(repeating: .pages(part, .answer(lie: 2)), count: 3)
        + [.pages(part, .load(atStart: at >= 5)), .pages(part, .answer(lie: 0)), .read(at)]
    case .nestedPages:
      [.pages(part, .load(atStart: false)), .pages(part, .answer(lie: 0))]
        + [0, 2, 1].flatMap { lie -> [WorldEvent] in
          [
            .pages(part, .load(atStart: at < 5)), .pages(part, .answer(lie: lie)),
            .pages(part, .load(atStart: at < 5)), .pages(part, .answer(lie: lie)),
            .write(
              list: paged, user: 0,
              [
                at % 3 == 0
                  ? .outline(section: 0, from: at, keepsExpansion: true) : .tree(section: 0),
                .moveInto(from: at, at: at + 2), .moveInto(from: 1, at: at),
                .fold(at: at, isExpanded: at % 2 == 0),
              ]),
            .pages(part, .load(atStart: at >= 5)), .pages(part, .answer(lie: lie)),
            .pages(part, .load(atStart: at >= 5)), .pages(part, .answer(lie: 2)), .read(at),
          ]
        } + [.pages(part, .refresh)] + Array(repeating: .pages(part, .answer(lie: 2)), count: 3)
        + [.pages(part, .load(atStart: at < 5)), .pages(part, .answer(lie: 0)), .read(at)]
    case .undonePages:
      [.pages(part, .load(atStart: false)), .pages(part, .answer(lie: 0))]
        + (0..<3).flatMap { number -> [WorldEvent] in
          [
            .write(list: paged, user: 0, [.insertAfter(at: at), .random(&random)]),
            .pages(part, .load(atStart: at < 5)), .pages(part, .answer(lie: 0)),
            .pages(part, .load(atStart: at < 5)), .pages(part, .answer(lie: 0)),
            number == 1
              ? .revert(list: paged, back: at % 4) : .undo(list: paged, named: at % 4 == 0),
            .pages(part, .load(atStart: at >= 5)), .pages(part, .answer(lie: 0)),
            number == 0 ? .redo(list: paged, named: false) : .undo(list: paged, named: false),
            .read(at),
          ]
        } + [.pages(part, .refresh), .pages(part, .answer(lie: 0)), .pages(part, .answer(lie: 0))]
    case .grownRow:
      [.host(list, .reveal(at, .top)), .host(list, .roll(by: 1 + at % 3))]
        // One of these makes of the longest row the shortest one.
        + (0..<5).map { write(.setText(at: at, $0)) }
        + [
          .host(list, .roll(by: 2 - at % 5)),
          write(.insert(at: 1, count: 2), .delete(at: at, count: 1)),
          .write(
            list: list, user: 1, [.insert(at: 0, count: 2), .insert(at: at + 1, count: 1)], .inPlace
          ),
        ]
    case .resizedView:
      [.host(list, .reveal(at, .top)), .host(list, .roll(by: 1 - at % 3))]
        + [
          .host(list, .resize(length: 4 + at, width: 3)),
          .host(list, .resize(length: at < 5 ? 60 : 5, width: 1 + at % 3)),
          .host(list, .resize(length: 5, width: 3)),
          at < 3 ? write(.insert(at: 0, count: 2)) : .host(list, .resize(length: 0, width: 2)),
          .host(list, .resize(length: 7, width: 2)),
          write(.insert(at: 1, count: 1), .delete(at: at + 1, count: 1)),
        ]
    case .pulledView:
      [
        .host(list, .pull(by: -1 - at)), write(.insert(at: 0, count: 2)),
        .host(list, .pull(by: 1 + at)), write(.delete(at: at, count: 3)),
        .host(list, .pull(by: -3)),
        .write(list: list, user: 1, [.insert(at: 0, count: 1)], .inPlace),
        .host(list, .roll(by: 2)),
      ]
    case .typed:
      [1, 2, 3, 2, 4].flatMap { number -> [WorldEvent] in
        let query = PlainQuery(operations: [.find(number, first: at < 5 ? nil : at)])
        return [
          .setQuery(of: part, query), number == 1 ? .read(part) : write(.random(&random)),
          .look(at: part), .read(part),
        ]
      }
    case .renamedRange:
      [
        .host(list, .tap(at % 3)), .host(list, .extend(to: 5)), write(.rename(at: at % 3)),
        .write(list: 1 - list, user: 0, [.rename(at: at % 3), .move(from: 1, before: 5)]),
        .host(list, .extend(to: 2)),
      ]
    }
  }
}
