import Diffable
import DiffableSync
import Foundation

extension SharedCases {
  private typealias Draft = ModelDraft<String, Note>

  private static let edits: KeyValuePairs<String, CaseEdit> = [
    "insert first": CaseEdit(
      item: "n", model: Note(id: "n", title: "new"), place: .init(section: "s", after: nil)),
    "insert after b": CaseEdit(
      item: "n", model: Note(id: "n", title: "new"), place: .init(section: "s", after: "b")),
    "insert into an empty section": CaseEdit(
      item: "n", model: Note(id: "n", title: "new"), place: .init(section: "u", after: nil)),
    "change b": CaseEdit(item: "b", fields: .init(title: "mine")),
    "move b down": CaseEdit(item: "b", place: .init(section: "s", after: "d")),
    "move b up": CaseEdit(item: "b", place: .init(section: "s", after: nil)),
    "move b to another section": CaseEdit(item: "b", place: .init(section: "t", after: "x")),
    "change and move b": CaseEdit(
      item: "b", fields: .init(isDone: true), place: .init(section: "u", after: nil)),
    "delete b": CaseEdit(item: "b", deletes: true),
  ]

  private static let others: KeyValuePairs<String, @Sendable (inout Draft) throws -> Void> = [
    "nobody does anything": { _ in },
    "others insert above": {
      try $0.insertItems([Note(id: "o", title: "theirs")], beforeItem: "a")
    },
    "others delete b": { $0.deleteItems(["b"]) },
    "others move b": { try $0.moveItem("b", toSection: "t") },
    "others change another field of b": { try $0.update("b") { $0.isDone = true } },
    "others change the title of b": { try $0.update("b") { $0.title = "theirs" } },
    "others rename b": { try $0.renameItem("b", to: Note(id: "B", title: "title of b")) },
    "others move all": {
      for item in ["c", "b", "a"] { try $0.moveItem(item, toSection: "s") }
    },
  ]

  static func editing() async throws -> [Editing] {
    var cases: [Editing] = []
    for (what, edit) in edits {
      for (meanwhile, change) in others {
        for isHeard in [true, false] where isHeard || meanwhile != others[0].key {
          let names = isHeard && meanwhile == "others rename b" ? ["b": "B"] : [:]
          cases.append(
            try await editing(
              "\(what), \(meanwhile)\(isHeard ? "" : " unheard")", edit, names, isHeard, change))
        }
      }
      cases.append(try await refused("\(what), it is refused", edit))
      cases.append(try await sentAgain("\(what), the list began anew", edit))
    }
    return cases
  }

  /// An edit that the owner of the list does not allow.
  private static func refused(_ name: String, _ edit: CaseEdit) async throws -> Editing {
    var list = try await start()
    _ = try await list.delta()
    let proposal = try await list.proposal(edit, id: id)
    let answer = try await list.answer(to: proposal) { _, _ in
      throw Refusal(code: "forbidden", reason: "Not yours.")
    }
    return Editing(
      name: name, edit: edit, heard: [], shown: try await list.showing(edit), proposal: proposal,
      answer: answer, stream: [], end: await CaseSection.all(of: list.source))
  }

  /// An edit of a state that the list no longer knows: it is made again on the state that has come since.
  private static func sentAgain(_ name: String, _ edit: CaseEdit) async throws -> Editing {
    let old = try await start()
    var list = try await start(epoch: "BAAAAAAAAAAAAAAAAAAAAA")
    let unknown = try await list.answer(to: old.proposal(edit, id: id))
    let reset = try await list.delta()
    let shown = try await list.showing(edit)
    let proposal = try await list.proposal(edit, id: id)
    let answer = try await list.answer(to: proposal)
    return Editing(
      name: name, edit: edit, unknown: unknown, heard: [reset], shown: shown, proposal: proposal,
      answer: answer, stream: [try await list.delta()],
      end: await CaseSection.all(of: list.source))
  }

  private static func editing(
    _ name: String, _ edit: CaseEdit, _ names: [String: String], _ isHeard: Bool,
    _ change: @escaping @Sendable (inout Draft) throws -> Void
  ) async throws -> Editing {
    var list = try await start()
    _ = try await list.delta()
    var proposal = try await list.proposal(edit, id: id)
    var shown = try await list.showing(edit)
    let before = await list.source.revision
    try await list.source.update(change)
    let theirs = await list.source.revision == before ? [] : [try await list.delta()]
    if isHeard {
      proposal = try await list.proposal(edit.renamed(names), id: id)
      shown = try await list.showing(edit.renamed(names))
    }
    var answer: String?
    var stream = isHeard ? [] : theirs
    if proposal != nil {
      let before = await list.source.revision
      answer = try await list.answer(to: proposal)
      if await list.source.revision != before { stream.append(try await list.delta()) }
    }
    return Editing(
      name: name, edit: edit, heard: isHeard ? theirs : [], shown: shown, proposal: proposal,
      answer: answer, stream: stream, end: await CaseSection.all(of: list.source),
      undone: try await undone(isHeard ? edit.renamed(names) : edit, isHeard, change))
  }

  /// What there is after a mirror has made the same edit, and has taken it back.
  private static func undone(
    _ edit: CaseEdit, _ isHeard: Bool,
    _ change: @escaping @Sendable (inout Draft) throws -> Void
  ) async throws -> [CaseSection] {
    var list = try await start()
    let source = list.source
    let mirror = MirrorSource<CaseList.Batch>()
    try await mirror.apply(try await list.delta())
    let before = await source.revision
    try await source.update(change)
    if isHeard, await source.revision != before { try await mirror.apply(try await list.delta()) }
    let mine = try await mirror.editable { try await source.accept($0) { _, _ in } }
    let write = try await mine.update(named: "Edit") { try edit.apply(to: &$0) }
    _ = await write.outcome
    try await mine.undo()
    for write in await mine.undecided { _ = await write.outcome }
    return await CaseSection.all(of: source)
  }
}
