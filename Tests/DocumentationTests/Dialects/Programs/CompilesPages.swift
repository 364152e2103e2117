// compiles
import Diffable
import DiffablePages

nonisolated struct Message: Identifiable, Equatable {
  let id: Int
  var text: String
}

final class Session {
  var key = "secret"

  func messages(_ request: PageRequest<Int>) async throws -> Page<Message, Int> {
    Page([Message(id: request.size, text: key)], next: nil)
  }
}

final class Chat {
  let session = Session()
  let source = ModelSource<String, Message>()
  let loader: PageLoader<String, Message, Int>
  var isLoading = false

  init() {
    loader = PageLoader(source, section: "Chat") { [session] request in
      try await session.messages(request)
    }
  }

  func refresh() async {
    isLoading = true
    print(await loader.refresh())
    isLoading = false
  }

  func scrolled(to ids: [Int]) {
    loader.willShow(ids)
  }
}
