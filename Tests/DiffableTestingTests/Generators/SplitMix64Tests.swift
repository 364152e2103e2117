import DiffableTesting
import Testing

@Suite("Random numbers follow from the seed")
struct SplitMix64Tests {
  @Test("the published sequence for seed 1234567")
  func published() {
    var random = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in random.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test("numbers below a bound, all of them, and none below none")
  func bounds() {
    var random = SplitMix64(seed: 1)
    let numbers = (0..<200).map { _ in random.number(below: 6) }
    #expect(Set(numbers) == Set(0..<6))
    for bound in [1, 0, -5, .min] { #expect(random.number(below: bound) == 0) }
  }

  @Test("shuffles are permutations, and all of them")
  func shuffles() {
    var random = SplitMix64(seed: 2)
    let shuffles = (0..<200).map { _ in random.shuffled([1, 2, 3]) }
    #expect(Set(shuffles).count == 6)
    #expect(shuffles.allSatisfy { $0.sorted() == [1, 2, 3] })
    #expect(random.shuffled([Int]()) == [])
    #expect(random.element(of: [Int]()) == nil)
    #expect(random.sample([1, 2, 3], oneIn: 1) == [1, 2, 3])
  }
}
