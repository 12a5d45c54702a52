import type { Views } from '../../../domain/kernel/view.ts'
import { canonicalJson } from '../../../domain/matching/canonical-json.ts'
import type { WorkRow } from '../tables.ts'
import type { FieldPair, RecordSide, RecordsAnswer, WhyAnswer } from './answers.ts'
import { linkLine, nodeReader } from './link-lines.ts'
import {
  type Bounded,
  generationOf,
  graphRow,
  linkRow,
  linksFrom,
  linksTo,
  memberRow,
  workRow,
} from './reading.ts'
import { titleReader, titlesOf } from './titles.ts'
import { TooLarge } from './too-large.ts'
import { why } from './why.ts'

const maxNamedBy = 1000

/** Two records side by side; undefined if nothing is known of one of them. */
export const compareRecords = (
  store: Views,
  a: string,
  b: string,
  scope: Bounded = {},
): RecordsAnswer | undefined => {
  const generation = generationOf(store, scope)
  const [one, other] = [sideOf(store, generation, a), sideOf(store, generation, b)]
  if (!one || !other) return undefined
  const nodeOf = nodeReader(store, generation)
  const statements = a === b ? [] : [linkRow(store, a, b), linkRow(store, b, a)]
  const named = namedByBoth(store, a, b)
  const way = wayBetween(store, a, b, scope)
  const titleOf = titleReader(store)
  const ids = [a, b, one.shownAs, other.shownAs, ...named.map(({ id }) => id)].filter((id) => id !== null)
  return {
    a: one,
    b: other,
    fields: fieldPairs(workRow(store, a), workRow(store, b)),
    direct: statements.flatMap((row) => (row ? [linkLine(row, nodeOf)] : [])),
    named,
    ...way,
    titles: { ...way.why?.titles, ...titlesOf(titleOf, ids) },
  }
}

const sideOf = (store: Views, generation: number, id: string): RecordSide | undefined => {
  const work = workRow(store, id)
  const graph = memberRow(store, generation, id)?.graph
  const namedBy = linksTo(store, id, maxNamedBy).length
  if (!work && graph === undefined && namedBy === 0) return undefined
  const node = nodeReader(store, generation)(id)
  return {
    ...node,
    sourceModifiedAt: work?.sourceModifiedAt ?? null,
    shownAs: node.document === 'merged' ? id : node.redirectsTo,
    component: graph === undefined ? null : (graphRow(store, generation, graph)?.component ?? null),
    namedBy,
  }
}

const namedByBoth = (store: Views, a: string, b: string): RecordsAnswer['named'] => {
  if (a === b) return []
  const ofB = new Map(linksFrom(store, b).map(({ to, reasons }) => [to, reasons]))
  return linksFrom(store, a).flatMap(({ to, reasons }) => {
    const others = ofB.get(to)
    return others ? [{ id: to, a: reasons, b: others }] : []
  })
}

const wayBetween = (
  store: Views,
  a: string,
  b: string,
  scope: Bounded,
): { readonly why: WhyAnswer | null; readonly isTooLarge: boolean } => {
  try {
    return { why: why(store, a, b, scope) ?? null, isTooLarge: false }
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    return { why: null, isTooLarge: true }
  }
}

type Values = ReadonlyMap<string, unknown>

const valuesOf = (work: WorkRow | undefined): Values =>
  new Map(
    Object.entries(
      work ? { ...work.fields, title: work.title, source: work.source, state: work.state } : {},
    ).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  )

/** The order of a record: what every one has comes first. */
const leading = ['title', 'source', 'state']

const fieldPairs = (a: WorkRow | undefined, b: WorkRow | undefined): readonly FieldPair[] => {
  const [one, other] = [valuesOf(a), valuesOf(b)]
  const names = new Set([...leading, ...[...one.keys(), ...other.keys()].sort()])
  const pairs = [...names]
    .filter((name) => one.has(name) || other.has(name))
    .map((field) => pairOf(field, one, other))
  return [
    ...pairs.filter(({ agrees }) => agrees !== 'same'),
    ...pairs.filter(({ agrees }) => agrees === 'same'),
  ]
}

const pairOf = (field: string, one: Values, other: Values): FieldPair => {
  const [a, b] = [one.get(field) ?? null, other.get(field) ?? null]
  const agrees = !other.has(field)
    ? 'only-a'
    : !one.has(field)
      ? 'only-b'
      : canonicalJson(a) === canonicalJson(b)
        ? 'same'
        : 'differs'
  return { field, agrees, a, b, both: agrees === 'differs' ? sharedBy(a, b) : [] }
}

const sharedBy = (a: unknown, b: unknown): readonly unknown[] => {
  if (!Array.isArray(a) || !Array.isArray(b)) return []
  const texts = new Set(b.map(canonicalJson))
  return a.filter((value) => texts.has(canonicalJson(value)))
}
