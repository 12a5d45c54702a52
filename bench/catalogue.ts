import type { Fact } from '../src/domain/matching/graph/component.ts'

/*
 * A catalogue made up for measuring: each work states 1.5 links on average. One component of 50,000 works, some of 650,
 * the others of 1 to 10. Works come in no order that has to do with their components. The same numbers always give the
 * same catalogue.
 */

export const largest = 50_000
export const large = 650
export const small = 10

export interface Catalogue {
  readonly works: number
  /** What is known of a work, by its number from 0. At another revision it states its links anew. */
  fact(work: number, revision?: number): Fact
  /** All works, shuffled, one by one. */
  facts(): Generator<Fact>
  /** Works in components made of so many, one of each; none where the catalogue is too small for any. */
  membersOf(size: number): readonly number[]
}

export const catalogue = (works: number, seed = 1): Catalogue => {
  /** Number of the first work of each component: its works have consecutive numbers. */
  const starts = [0]
  const componentOf = new Int32Array(works)
  for (let start = 0; start < works; ) {
    const component = starts.length - 1
    const end = Math.min(works, start + sizeOf(component, works, seed))
    componentOf.fill(component, start, end)
    starts.push(end)
    start = end
  }

  const fact = (work: number, revision = 0): Fact => {
    const component = componentOf[work]!
    const start = starts[component]!
    const size = starts[component + 1]! - start
    const chance = (n: number) => random(seed, work, revision, n)
    const links = new Set<string>()
    // A tree that holds it together; then, here and there, more, and now and then an id that no work has.
    if (work > start) links.add(idOf(start + Math.floor(chance(0) * (work - start))))
    for (let n = 1; n <= mostMore; n++)
      if (size > 1 && chance(n) < more(size))
        links.add(chance(n + 10) < 0.1 ? `${idOf(start)}x` : idOf(start + Math.floor(chance(n + 20) * size)))
    links.delete(idOf(work))
    return { id: idOf(work), revision, deleted: false, links: [...links] }
  }

  return {
    works,
    fact,
    *facts() {
      const stride = strideIn(works)
      for (let n = 0, work = 0; n < works; n++, work = (work + stride) % works) yield fact(work)
    },
    membersOf: (size) =>
      starts.slice(0, -1).filter((start, component) => starts[component + 1]! - start === size),
  }
}

const sizeOf = (component: number, works: number, seed: number): number => {
  if (component === 0 && works >= 4 * largest) return largest
  if (component % 3000 === 1) return large
  return 1 + Math.floor(random(seed, component, 0, -1) * small)
}

/** Further links that a work may state, and how probable each is, so that there are 1.5 on average. */
const mostMore = 3
const more = (size: number): number => 0.19 + 0.95 / size

export const idOf = (work: number): string =>
  `w${(Math.imul(work, 0x9e3779b1) >>> 0).toString(32).padStart(7, '0')}`

/** From 0 to 1, the same for the same numbers. */
const random = (...numbers: readonly number[]): number => {
  let hash = 0x811c9dc5
  for (const number of numbers) {
    hash = Math.imul(hash ^ number, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    hash ^= hash >>> 16
  }
  return (hash >>> 0) / 2 ** 32
}

/** A step that comes to every work once before it comes to one again. */
const strideIn = (works: number): number => {
  let stride = Math.max(1, Math.floor(works * 0.618))
  while (divisor(stride, works) > 1) stride++
  return stride
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
