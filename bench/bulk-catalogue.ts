import type { WorkUpdated } from '../src/domain/matching/messages.ts'

/*
 * What a catalogue sends when it is loaded for the first time: most works stand alone or in pairs, one hub joins thousands,
 * some hundreds hang on another dozen. Half of the works come in two versions, a tenth of all messages comes again, in any order.
 * The same numbers always give the same messages.
 */

export interface Bulk {
  readonly works: number
  /** In the order in which they are sent; repeats are the same object. */
  readonly messages: readonly WorkUpdated[]
  /** The smallest id of the component of each work, by a union-find of its own. */
  readonly componentOf: ReadonlyMap<string, string>
}

interface BulkShape {
  readonly works: number
  /** Sizes of the components that are named; the others are of 1 to 4. */
  readonly large: readonly number[]
}

/** 108,000 components of 200,000 works. */
export const wholeCatalogue: BulkShape = {
  works: 200_000,
  large: [9600, 626, ...Array.from({ length: 12 }, (_, i) => 100 + Math.round((i * 350) / 11))],
}

/** Of a hundred small components, how many have one, two, three, four works: 1.73 on average. */
const small = [56, 23, 13, 8]

const at = '2026-01-01T00:00:00.000Z'

export const bulk = ({ works, large }: BulkShape, seed = 1): Bulk => {
  const random = randomFrom(seed)
  const latest: WorkUpdated[] = []
  const earlier: WorkUpdated[] = []
  for (const size of sizesOf(works, large, random)) {
    const first = latest.length
    for (let n = 0; n < size; n++) {
      // A hub: nearly all name its first work. A chain here and there makes the others hang on one another.
      const named = n === 0 ? [] : [idOf(first + (random() < 0.9 ? 0 : Math.floor(random() * n)))]
      const isLater = random() < 0.53
      latest.push(messageOf(first + n, isLater ? 2 : 1, named))
      // What an earlier version names may be dropped by the later one.
      if (isLater)
        earlier.push(messageOf(first + n, 1, random() < 0.02 ? [idOf(Math.floor(random() * works))] : named))
    }
  }
  const once = [...latest, ...earlier]
  const repeats = Array.from(
    { length: Math.round(once.length / 9) },
    () => once[Math.floor(random() * once.length)]!,
  )
  return { works, messages: shuffled([...once, ...repeats], random), componentOf: componentsOf(latest) }
}

/** Joins and nothing else: it shares no code with what it is held against. */
const componentsOf = (latest: readonly WorkUpdated[]): ReadonlyMap<string, string> => {
  const above = new Map<string, string>(latest.map(({ id }) => [id, id]))
  const top = (id: string): string => {
    let root = id
    while (above.get(root) !== root) root = above.get(root)!
    for (let at = id; at !== root; ) {
      const next = above.get(at)!
      above.set(at, root)
      at = next
    }
    return root
  }
  for (const { id, links } of latest)
    for (const { to } of links) {
      const [one, other] = [top(id), top(to)]
      // The smaller id stays on top, so that it names the component.
      if (one !== other) above.set(one < other ? other : one, one < other ? one : other)
    }
  return new Map(latest.map(({ id }) => [id, top(id)]))
}

const messageOf = (work: number, sourceVersion: number, links: readonly string[]): WorkUpdated => ({
  id: idOf(work),
  source: work % 3 === 0 ? 'sierra' : 'mets',
  sourceVersion,
  sourceModifiedAt: at,
  state: 'visible',
  title: `Work ${work}, version ${sourceVersion}`,
  links: links.filter((to) => to !== idOf(work)).map((to) => ({ to, reason: 'same as' })),
  fields: { shelf: `${work % 977}`, subjects: [`subject ${work % 89}`] },
})

/** In no order that has to do with components. */
const idOf = (work: number): string => `w${(Math.imul(work, 0x9e3779b1) >>> 0).toString(32).padStart(7, '0')}`

function* sizesOf(works: number, large: readonly number[], random: () => number): Generator<number> {
  let left = works
  for (const size of large) {
    yield size
    left -= size
  }
  while (left > 0) {
    let [size, chance] = [1, random() * 100]
    for (const share of small) {
      if (chance < share) break
      chance -= share
      size++
    }
    size = Math.min(size, left, small.length)
    yield size
    left -= size
  }
}

const shuffled = <A>(items: A[], random: () => number): A[] => {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[items[i], items[j]] = [items[j]!, items[i]!]
  }
  return items
}

/** From 0 to 1 (xorshift). */
const randomFrom = (seed: number): (() => number) => {
  let state = seed * 0x9e3779b1 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
