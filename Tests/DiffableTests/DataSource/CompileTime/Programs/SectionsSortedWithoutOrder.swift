// error: instance method 'sectionsSorted(id:by:reverse:)' requires that 'Bill' conform to 'Comparable'
import Diffable
import DiffableQueries

private struct Bill: Equatable {
  let items: Int
  let price: Int
}

private struct Sale: Identifiable, Equatable {
  let id: Int
  var day: Int
  var price: Int
}

private func days(of sales: ModelSource<String, Sale>) {
  _ = sales.derived { query in
    query.grouped(by: \.day)
      .sectionsSorted(by: .both(.count, .sum(of: \.price)) { Bill(items: $0, price: $1) })
  }
}
