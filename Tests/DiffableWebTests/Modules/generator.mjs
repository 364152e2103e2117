// Random programs that a seed repeats.

/** Numbers of a seed, as of mulberry32. */
export function generator(seed) {
  let state = seed
  return (count) => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) % count
  }
}
