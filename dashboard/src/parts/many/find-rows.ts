import { type Chosen, maxChosen } from './chosen.ts'

export interface Page {
  readonly offset: number
  readonly limit: number
}

/** Some rows of a list, in its order. Rejects with `Refused`. */
export type AskRows<Row> = (page: Page) => Promise<readonly Row[]>

/** Rows that are asked for at once. */
const pageRows = 1000

/** Rows from a place on up to another, which is left out; at most as many as can be chosen. */
export const rowsBetween = async <Row>(
  ask: AskRows<Row>,
  from: number,
  to: number,
): Promise<readonly Chosen<Row>[]> => {
  const found: Chosen<Row>[] = []
  const end = Math.min(to, from + maxChosen)
  for (let offset = from; offset < end; offset += pageRows) {
    const limit = Math.min(pageRows, end - offset)
    const rows = await ask({ offset, limit })
    found.push(...rows.map((row, i) => ({ row, place: offset + i })))
    if (rows.length < limit) break
  }
  return found
}

const pageOf = (place: number): number => Math.floor(place / pageRows)

/**
 * Chosen rows as they are now, by key. They are looked for where they stood, and up to a thousand rows beside it: one that is missing
 * left the list, or moved far.
 */
export const lookAgain = async <Row>(
  ask: AskRows<Row>,
  chosen: ReadonlyMap<string, Chosen<Row>>,
  keyOf: (row: Row) => string,
): Promise<ReadonlyMap<string, Chosen<Row>>> => {
  const found = new Map<string, Chosen<Row>>()
  const asked = new Set<number>()
  const look = async (pages: Iterable<number>) => {
    for (const page of pages) {
      if (page < 0 || asked.has(page)) continue
      asked.add(page)
      const offset = page * pageRows
      const rows = await ask({ offset, limit: pageRows })
      for (const [i, row] of rows.entries())
        if (chosen.has(keyOf(row))) found.set(keyOf(row), { row, place: offset + i })
    }
  }
  await look([...chosen.values()].map(({ place }) => pageOf(place)))
  const missing = [...chosen].filter(([key]) => !found.has(key)).map(([, { place }]) => pageOf(place))
  await look(missing.flatMap((page) => [page - 1, page + 1]))
  return found
}

/** Chosen rows in parts that stand together, the last of the list first: what leaves it moves none that are still to come. */
export const inParts = <Row>(
  chosen: ReadonlyMap<string, Chosen<Row>>,
): readonly ReadonlyMap<string, Chosen<Row>>[] =>
  [...Map.groupBy(chosen, ([, { place }]) => pageOf(place))]
    .toSorted(([a], [b]) => b - a)
    .map(([, part]) => new Map(part.toSorted(([, a], [, b]) => b.place - a.place)))
