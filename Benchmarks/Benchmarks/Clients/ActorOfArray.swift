/// What a program makes that has no library for it: the order of a list, and the place of each item.
actor List {
  nonisolated let updates: AsyncStream<[Int]>
  private let continuation: AsyncStream<[Int]>.Continuation
  private var items: [Int] = []
  private var positions: [Int: Int] = [:]

  init() {
    (updates, continuation) = AsyncStream.makeStream()
  }

  func append(_ arrivals: [Int]) {
    for item in arrivals where positions[item] == nil {
      positions[item] = items.count
      items.append(item)
    }
    continuation.yield(items)
  }
}

/// Fills a list and shows its changes; public, so that an optimizer does not leave it out.
public func showList() async {
  let list = List()
  await list.append([1, 2, 3])
  for await items in list.updates { print(items.count) }
}
