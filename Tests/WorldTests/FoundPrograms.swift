import DiffableEngine

/// Programs that have found a fault of the product, or of a law, as small as they could be made.
///
/// Their seeds make other programs whenever something is added to the world.
extension Program {
  static let found = [
    // A mark of a row that the answer to a proposal lists as changed, too, was lost.
    Program(
      Spec(parts: [.desk(of: 0)], readers: [2]),
      [
        .desk(0, .edit([.setText(at: 0, 18)])),
        .write(list: 0, user: 0, [.setText(at: 18, 14), .tree(section: 22)], .animated),
        .desk(0, .deliver),
        .write(
          list: 0, user: 1, [.move(from: 2, before: 3), .moveInto(from: 14, at: 10)], .animated),
        .read(0),
        .write(list: 0, user: 0, [.mark(at: 2, count: 1, reload: false)], .animated),
      ]),
    // A section was reloaded without the row that somebody who waits has taken out of it.
    Program(
      Spec(parts: [.member(isOptimistic: false), .member(isOptimistic: true)], readers: [3]),
      [
        .member(1, .edit([.moveToSection(from: 1, section: 17)])),
        .read(0),
        .member(0, .edit([.markSection(2, reload: true)])),
      ]),
    Program(
      Spec(parts: [.desk(of: 0)], readers: [2]),
      [
        .desk(0, .edit([.markSection(10, reload: true)])),
        .desk(0, .edit([.move(from: 0, before: 6)])),
        .read(0),
      ]),
    // So was one that a row has left before a subscriber came to read.
    Program(
      Spec(parts: [], readers: [0]),
      [
        .read(0),
        .write(list: 0, user: 0, [.markSection(0, reload: true)]),
        .write(list: 0, user: 0, [.moveToSection(from: 1, section: 1)]),
      ]),
    // And in a merge of a list that a row has left so.
    Program(
      Spec(parts: [.merge(0, 1, PlainQuery(operations: []))], readers: [2]),
      [
        .read(0),
        .write(list: 0, user: 1, [.markSection(2, reload: true), .move(from: 6, before: 1)]),
        .undo(list: 0, named: false),
      ]),
    // An edit that only gives a row another name took back what others had made of its model.
    Program(
      Spec(parts: [.desk(of: 0)], readers: []),
      [
        .desk(0, .edit([.rename(at: 2)])),
        .write(list: 0, user: 1, [.setRank(at: 1, 1)], .animated),
        .desk(0, .edit([.rename(at: 1)])),
      ]),
    // A list view that takes one change at a time asked for rows of a tree by their next names.
    Program(
      Spec(
        parts: [.query(of: 1, PlainQuery(operations: [])), .member(isOptimistic: false)],
        readers: [], hosts: [3]),
      [
        .member(0, .edit([.setHeader(section: 21, 3), .rename(at: 15)])),
        .member(0, .edit([.insertAfter(at: 5)])),
      ]),
    // An edit that ran again deleted what others had put into a section meanwhile.
    Program(
      Spec(
        parts: [.member(isOptimistic: true), .member(isOptimistic: false), .desk(of: 0)],
        readers: [2, 4], hosts: [2]),
      [
        .member(0, .edit([.deleteSection(1)])),
        .member(1, .edit([.append(section: 1, count: 1), .moveToSection(from: 0, section: 1)])),
        .member(1, .offer), .member(1, .answer), .member(0, .receive(1)), .read(0),
        .desk(0, .edit([.deleteSection(0)])),
        .write(list: 0, user: 0, [.append(section: 0, count: 2)]),
        .desk(0, .deliver), .read(1),
      ]),
    Program(
      Spec(parts: [.member(isOptimistic: false), .member(isOptimistic: false)], readers: [2]),
      [
        .member(0, .edit([.deleteSection(0)])),
        .member(1, .edit([.insertAfter(at: 2)])),
        .member(1, .offer), .member(1, .answer), .member(0, .receive(1)), .read(0),
      ]),
    // The law knew nothing of a model that an edit sets before it deletes the row.
    Program(
      Spec(parts: [.desk(of: 0)], readers: []),
      [
        .enqueue(
          list: 0, [[.moveToSection(from: 15, section: 16), .rename(at: 5)]], first: .reset),
        .desk(0, .edit([.insertAfter(at: 18)])),
        .desk(0, .edit([.moveAfter(from: 3, at: 10)])),
        .desk(0, .edit([.setHidden(at: 12, 8), .delete(at: 19, count: 3)])),
      ]),
    // The law wanted a row of a merge to be shown again that was marked in the list which does not show it.
    Program(
      Spec(
        parts: [
          .join(0, 0, PlainQuery(operations: [.filter(3)])), .desk(of: 0),
          .merge(2, 3, PlainQuery(operations: [])),
        ], readers: [4]),
      [
        .desk(5, .edit([.mark(at: 5, count: 2, reload: false)])), .read(7),
        .desk(5, .arrive(isRefused: false)), .read(7),
      ]),
    // A list view may have seen that a row was gone between two entries of the log, or not.
    Program(
      Spec(
        parts: [.member(isOptimistic: false), .member(isOptimistic: false)], readers: [], hosts: [3]
      ),
      [
        .host(0, .extend(to: 9)), .member(0, .edit([.deleteSection(1)])), .member(0, .undo),
        .member(0, .offer),
      ]),
    // The law wanted a row to be deleted with the row above it, below which the user's move was refused.
    Program(
      Spec(parts: [.desk(of: 0)], readers: []),
      [
        .desk(0, .edit([.moveAfter(from: 7, at: 10)])), .desk(0, .arrive(isRefused: true)),
        .desk(0, .edit([.delete(at: 23, count: 1)])),
      ]),
    // The law knew nothing of what others had put into a section that the user moves.
    Program(
      Spec(parts: [.desk(of: 0)], readers: []),
      [
        .desk(0, .edit([.moveSection(from: 7, before: 18)])),
        .write(list: 0, user: 1, [.flatten(section: 19)]),
        .write(list: 0, user: 0, [.insert(at: 1, count: 2)]),
        .write(list: 0, user: 1, [.insert(at: 0, count: 2), .insert(at: 9, count: 1)]),
      ]),
    // An empty first page from the middle of a list shows a section, before the pages around it have come.
    Program(
      Spec(parts: [.pages(cap: 2, from: 6, isMerging: false)], readers: [2]),
      [
        .pages(0, .load(atStart: false)), .pages(0, .answer(lie: 4)), .pages(0, .cancel),
        .look(at: 2), .read(0),
      ]),
    // The law did not know that a row waits for the owner whose place in a new tree is another one with the
    // user's edits than without them.
    Program(
      Spec(
        parts: [.mirror(of: 0), .merge(0, 0, PlainQuery(operations: [])), .desk(of: 3)],
        readers: [1, 4, 3, 3], abridged: [Spec.Abridged(part: 3, length: 4)]),
      [
        .read(6), .desk(0, .edit([.delete(at: 19, count: 2)])),
        .desk(5, .edit([.delete(at: 20, count: 3)])),
        .write(list: 1, user: 0, [.tree(section: 2)], .animated),
      ]),
    Program(
      Spec(
        parts: [.query(of: 1, PlainQuery(operations: [])), .desk(of: 1)], readers: [5, 4, 3, 0],
        abridged: [Spec.Abridged(part: 4, length: 2), Spec.Abridged(part: 4, length: 4)]),
      [
        .desk(7, .edit([.setText(at: 4, 7)])), .read(8),
        .desk(7, .edit([.move(from: 11, before: 3)])),
        .write(list: 1, user: 0, [.tree(section: 8)], .animated),
      ]),
    // A row after two pages that were dropped together was put after the first of them that came back.
    Program(
      Spec(parts: [.pages(cap: 1, from: 5, isMerging: true, limit: 5)], readers: []),
      Array(repeating: [.pages(1, .load(atStart: false)), .pages(1, .answer(lie: 0))], count: 5)
        .joined() + [
          .write(list: 2, user: 0, [.insertAfter(at: 4)]), .pages(1, .load(atStart: true)),
          .pages(1, .answer(lie: 0)),
        ]),
    // A row that others have renamed, and that an undo brings back, was called as before, and later was another row.
    Program(
      Spec(parts: [.desk(of: 0)], readers: [], hosts: [2]),
      [
        .write(list: 0, user: 1, [.rename(at: 3)]), .desk(0, .edit([.delete(at: 3, count: 2)])),
        .desk(0, .undo), .host(0, .select(at: 9, count: 2)),
      ]),
    Program(
      Spec(parts: [.desk(of: 0)], readers: [], hosts: [2]),
      [
        .write(list: 0, user: 1, [.rename(at: 0)]), .desk(0, .edit([.delete(at: 0, count: 1)])),
        .desk(0, .deliver), .desk(0, .undo), .host(0, .select(at: 0, count: 1)),
        .desk(0, .arrive(isRefused: false)), .desk(0, .deliver),
      ]),
    // A row that had got its former name back, by an answer to a change of an older state, was another one.
    Program(
      Spec(parts: [.desk(of: 1)], readers: [], hosts: [2]),
      [
        .desk(0, .edit([.setText(at: 2, 3)])),
        .host(0, .tap(1)),
        .write(list: 1, user: 0, [.rename(at: 1)], .animated),
        .desk(3, .deliver),
        .undo(list: 1, named: true),
      ]),
    // An undo from far away inserted a row that others had brought back, and called otherwise, once more.
    Program(
      Spec(parts: [.desk(of: 0)], readers: []),
      [
        .desk(1, .edit([.delete(at: 8, count: 2)])),
        .desk(1, .undo),
        .desk(1, .arrive(isRefused: false)),
        .undo(list: 0, named: true),
        .write(list: 0, user: 0, [.rename(at: 1)], .animated),
      ]),
    // An answer to a change of an older state lost a mark of a row that had come since.
    Program(
      Spec(parts: [.desk(of: 0)], readers: [2]),
      [
        .write(list: 0, user: 0, [.insert(at: 1, count: 2)], .animated),
        .write(list: 0, user: 1, [.insert(at: 0, count: 2)], .animated),
        .desk(6, .edit([.move(from: 9, before: 1)])),
        .desk(4, .cut),
        .read(8),
        .write(list: 0, user: 0, [.mark(at: 4, count: 1, reload: true)], .animated),
      ]),
    // Pages went beyond the placeholders that were left after the nearest ones had been deleted, here by undo.
    Program(
      Spec(
        parts: [.pages(cap: 2, from: 4, isMerging: false, hasPlaceholders: true)], readers: []),
      [
        .pages(1, .load(atStart: false)), .pages(1, .answer(lie: 0)),
        .undo(list: 2, named: false),
      ]),
    Program(
      Spec(
        parts: [.pages(cap: 2, from: 8, isMerging: false, limit: 8, hasPlaceholders: true)],
        readers: []),
      [
        .pages(3, .load(atStart: true)), .pages(7, .answer(lie: 0)),
        .undo(list: 2, named: false),
      ]),
    // After an edit had been withdrawn, the marks of later ones were shown again for a delta that changes nothing.
    Program(
      Spec(parts: [.desk(of: 1)], readers: []),
      [
        .desk(3, .edit([.delete(at: 5, count: 2)])), .desk(3, .undo), .desk(3, .redo),
        .desk(2, .edit([.markSection(4, reload: true)])), .desk(3, .repeatLast),
      ]),
    // Pages whose rows had all been deleted were dropped for rows of others, and loaded again for ever.
    Program(
      Spec(parts: [.pages(cap: 2, from: 9, isMerging: true, limit: 6)], readers: [], hosts: [2]),
      [
        .pages(6, .load(atStart: false)), .pages(6, .answer(lie: 0)),
        .write(list: 2, user: 0, [.insertAfter(at: 5), .insert(at: 17, count: 3)]),
        .pages(6, .answer(lie: 0)), .write(list: 2, user: 0, [.insertAfter(at: 5)]),
        .pages(6, .answer(lie: 0)), .pages(6, .answer(lie: 0)), .pages(6, .answer(lie: 0)),
        .pages(6, .answer(lie: 0)), .undo(list: 2, named: false),
      ]),
    // A deletion that had been taken back was reverted, and a row that was called otherwise by then was there twice.
    Program(
      Spec(parts: [], readers: []),
      [
        .write(list: 0, user: 0, [.delete(at: 0, count: 2)]), .undo(list: 0, named: false),
        .write(list: 0, user: 0, [.rename(at: 0)]), .revert(list: 0, back: 2),
      ]),
    // A delta that makes a tree lost a mark of a row in it.
    Program(
      Spec(parts: [.mirror(of: 1)], readers: [2]),
      [
        .write(list: 1, user: 0, [.insertAfter(at: 11)]), .revert(list: 1, back: 1),
        .link(0, .deliver), .read(0), .write(list: 1, user: 1, [.tree(section: 22)]),
        .write(list: 1, user: 0, [.mark(at: 9, count: 2, reload: false)]), .link(0, .deliver),
      ]),
    // Dropped pages left a user's row on the wrong side of rows that were folded away.
    Program(
      Spec(
        parts: [.pages(cap: 2, from: 7, isMerging: false, limit: 6, hasPlaceholders: true)],
        readers: []),
      [
        .pages(0, .load(atStart: false)), .pages(0, .answer(lie: 0)),
        .pages(0, .load(atStart: false)), .pages(0, .answer(lie: 0)),
        .pages(0, .load(atStart: false)), .pages(0, .answer(lie: 0)),
        .write(list: 2, user: 0, [.insertAfter(at: 8), .tree(section: 14)]),
        .pages(0, .load(atStart: true)), .pages(0, .answer(lie: 0)),
        .pages(0, .load(atStart: true)), .pages(0, .answer(lie: 0)),
        .pages(0, .load(atStart: true)), .pages(0, .answer(lie: 0)),
      ]),
    // An edit of a row whose new name others had taken back, in the delta that brought it, was not shown any more.
    Program(
      Spec(parts: [.desk(of: 1)], readers: []),
      [
        .desk(0, .edit([.rename(at: 12)])), .desk(0, .edit([.setRank(at: 12, 1)])),
        .desk(0, .arrive(isRefused: false)), .undo(list: 1, named: true), .desk(0, .deliver),
      ]),
    // An edit of a row whose new name the owner refused was not shown any more.
    Program(
      Spec(parts: [.desk(of: 0)], readers: []),
      [
        .desk(0, .edit([.rename(at: 2)])), .desk(0, .edit([.deleteSection(8)])),
        .desk(0, .arrive(isRefused: true)),
      ]),
    // A page could not come whose arrival drops a page with a row that users have put above its neighbours.
    Program(
      Spec(parts: [.pages(cap: 1, from: 6, isMerging: false, limit: 5)], readers: []),
      [
        .pages(0, .load(atStart: true)), .pages(0, .answer(lie: 2)),
        .pages(0, .load(atStart: true)), .pages(0, .answer(lie: 2)),
        .pages(0, .load(atStart: false)), .pages(0, .answer(lie: 1)),
        .pages(0, .load(atStart: false)), .pages(0, .answer(lie: 1)),
        .write(list: 2, user: 0, [.outline(section: 0, from: 6, keepsExpansion: true)]),
        .pages(0, .refresh), .pages(0, .answer(lie: 2)), .pages(0, .answer(lie: 2)),
        .pages(0, .answer(lie: 2)),
      ]),
  ]
}
