import Diffable
import DiffableSync
import Foundation

/// What followers propose, and what owners answer.
func checkProposals(_ data: Data) {
  decoded(Proposal<UpdateBatch<String, Int>>.self, data).map(checkSameText)
  decoded(Proposal<ModelBatch<Header, Row>>.self, data).map(checkSameText)
  decoded(ProposalAnswer<UpdateBatch<String, Int>>.self, data).map(checkSameText)
  decoded(ProposalAnswer<ModelBatch<Header, Row>>.self, data).map(checkSameText)
  // The base may be any text, and no list has a state of that name.
  let known = ResumeToken(epoch: epoch, revision: Revision(1))
  guard var object = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
    object["id"] is String
  else { return }
  object["base"] = "\(known)"
  guard let based = try? JSONSerialization.data(withJSONObject: object) else { return }
  decoded(Proposal<UpdateBatch<String, Int>>.self, based).map { proposal in
    _ = waiting { await check(proposal, with: await identifiers()) }
  }
  decoded(Proposal<ModelBatch<Header, Row>>.self, based).map { proposal in
    _ = waiting { await check(proposal, with: await models()) }
  }
}

/// Lets the owner of a list take a proposal twice.
///
/// Meanwhile others have changed the list, so the proposal is merged.
private func check<Source: EditableListSource>(
  _ proposal: Proposal<Source.Batch>, with source: Source
) async where Source.Batch: DeltaBatch, ProposalAnswer<Source.Batch>: Encodable {
  let (before, revision) = await (source.snapshot, source.revision)
  let (first, again) = await (answer(of: source, to: proposal), answer(of: source, to: proposal))
  expect(text(of: first) == text(of: again), "the same proposal gets the same answer")
  let (after, reached) = await (source.snapshot, source.revision)
  switch first {
  case .accepted(let acceptance):
    expect(reached.number == revision.number + 1, "it is made once")
    expect(acceptance.token == source.token(for: reached), "the answer names the state that has it")
    expectResult("the list is valid") { try after.validate() }
  case .refused(let refusal):
    expect(!refusal.code.isEmpty && !refusal.reason.isEmpty, "a refusal has words")
    expect(reached == revision && after == before, "\(refusal) has changed nothing")
  case .unknownBase:
    fatalError("the base is known")
  }
}

private func answer<Source: EditableListSource>(
  of source: Source, to proposal: Proposal<Source.Batch>
) async -> ProposalAnswer<Source.Batch> where Source.Batch: DeltaBatch {
  do {
    return try await source.accept(proposal) { change, _ in _ = change.changes }
  } catch {
    fatalError("a proposal is answered: \(error)")
  }
}

// MARK: Owners

private let epoch = Epoch("AAAAAAAAAAAAAAAAAAAAAA") ?? Epoch()
private let options = SourceOptions(epoch: epoch)

private func section(_ name: String) -> Header {
  expectResult("a header is read") {
    try JSONDecoder().decode(Header.self, from: Data("\"\(name)\"".utf8))
  }
}

private func identifiers() async -> DataSourceActor<String, Int> {
  let source = DataSourceActor<String, Int>(options: options)
  do {
    try await source.update { snapshot in
      snapshot.appendSections(["A", "B", "C"])
      try snapshot.appendItems([1, 2, 3], toSection: "A")
      try snapshot.appendItems([4], toSection: "B")
      try snapshot.setOutline(outline(), forSection: "C")
    }
    try await source.update { try changeOrder(&$0) { $0 } }
  } catch {
    fatalError("\(error)")
  }
  return source
}

private func models() async -> ModelSource<Header, Row> {
  let source = ModelSource<Header, Row>(options: options)
  do {
    try await source.update { draft in
      draft.snapshot.appendSections(["A", "B", "C"].map(section))
      try draft.snapshot.appendItems([1, 2, 3], toSection: section("A"))
      try draft.snapshot.appendItems([4], toSection: section("B"))
      try draft.snapshot.setOutline(outline(), forSection: section("C"))
      draft.setModels((1...8).map { Row(id: $0, text: 0) })
      try draft.setSectionModel(1, for: section("A"))
    }
    try await source.update { draft in
      try changeOrder(&draft.snapshot, section)
      draft.setModels([Row(id: 1, text: 1), Row(id: 5, text: 1)])
    }
  } catch {
    fatalError("\(error)")
  }
  return source
}

/// An outline that hides 6.
private func outline() throws -> Outline<Int> {
  var outline = Outline<Int>()
  try outline.append([5, 7])
  try outline.append([6], to: 5)
  try outline.append([8], to: 7)
  outline.expand([7])
  return outline
}

private func changeOrder<SectionID>(
  _ snapshot: inout Snapshot<SectionID, Int>, _ section: (String) -> SectionID
) throws {
  try snapshot.moveItem(2, afterItem: 3)
  try snapshot.moveItem(4, toSection: section("A"))
  snapshot.deleteItems([3])
}

// MARK: Texts

private func checkSameText<Value: Codable>(_ value: Value) {
  expect(text(of: coded(value)) == text(of: value), "\(Value.self) is the same after coding")
}

private func text(of value: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  return expectResult("it is written") {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
