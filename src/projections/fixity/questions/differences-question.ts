import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { comparisons, stores } from '../../../domain/fixity/views.ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { is, row, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import { question } from '../../runtime/question.ts'
import { columns, wholeColumns } from '../../runtime/shown.ts'
import { fixity } from '../projection.ts'
import { noSuchStore, unknownStore } from './known.ts'
import { type StandingDifferences, standing, sumOf } from './standing-differences.ts'

const orNull = t.union([t.string, t.null])

const Difference = t.type({
  store: t.string,
  difference: t.keyof({ new: null, missing: null, moved: null, changed: null }),
  path: t.string,
  /** For a moved file its new path; for one whose size changed both sizes. */
  detail: t.string,
  /**
   * `finding`: one is open about it. `revival`: its check is parked. `check`: its check looks again, or its finding was
   * settled since. Null: it waits for nothing, and a person is to look at it.
   */
  waitsFor: t.union([t.keyof({ finding: null, revival: null, check: null }), t.null]),
})
type Difference = t.TypeOf<typeof Difference>

const StoreDifferences = t.type({
  store: t.string,
  /** `ask`: new files are named here. `take-in`: they are recorded by themselves. Null: it is not compared. */
  newFiles: orNull,
  comparedAt: orNull,
  new: t.number,
  missing: t.number,
  moved: t.number,
  changed: t.number,
  unlisted: t.number,
  takenIn: t.number,
  /** New files that are neither recorded nor being taken in. */
  unrecorded: t.number,
  /** Files that are missing, moved or changed, and wait for nothing: a person is to look at them. */
  unsettled: t.number,
  /** Requests to take new files in that no comparison has answered yet. */
  requested: t.number,
})
type StoreDifferences = t.TypeOf<typeof StoreDifferences>

const rowsOf = ({ comparison, first }: StandingDifferences): readonly Difference[] =>
  first.map(({ difference, path, detail, waitsFor }) => ({
    ...{ store: comparison.store ?? '', difference, path, detail, waitsFor },
  }))

const sentence = (one: StoreDifferences): string => {
  const { store, newFiles, comparedAt, takenIn, requested } = one
  if (comparedAt === null)
    return `${store} was not compared yet${newFiles === null ? ': `fonds do fixity.change-policy` with newFiles=ask or newFiles=take-in has it compared' : '; `fonds start` does it, at once and then every so many hours (`compareHours` of its policy)'}`
  return (
    `${store}, compared ${comparedAt}: ${plural(one.new, 'new file')}, ${one.missing} missing, ${one.moved} moved, ` +
    `${one.changed} changed in size` +
    `${one.unlisted > 0 ? `, ${one.unlisted} that could not be listed` : ''}` +
    `${takenIn > 0 ? `; ${takenIn} of the new ones taken in` : ''}` +
    `${requested > 0 ? '; to be taken in at the next comparison' : ''}`
  )
}

/** Differences between folders or buckets and their records, by the last comparison of each and what was settled since. */
export const differencesQuestion = question({
  name: 'differences',
  summary:
    'Files that are new, missing, moved or changed in size, by the last comparison of each store, without what was settled since.',
  projection: fixity,
  history: 'views',
  input: {
    store: { description: 'Of this store alone.', codec: Text, example: 'main', argument: 'store' },
  },
  answer: t.type({
    at: t.string,
    stores: t.readonlyArray(StoreDifferences),
    /** The first of each class, at most 50 of each store. */
    first: t.readonlyArray(Difference),
  }),
  returns: 'The amounts, and the first names.',
  schemaName: 'FixityDifferences',
  rejections: noSuchStore,
  ask: (views, { store }, { now }) => {
    const of = store === undefined ? [] : [is('store', store)]
    const known = rowsIfFolded(views, stores, { where: [is('kind', 'folder'), ...of] })
    if (store !== undefined && !row(views, stores, is('store', store))) return E.left(unknownStore(store))
    const compared = new Map(
      rowsIfFolded(views, comparisons, { where: of }).map((one) => [one.store, standing(views, one)]),
    )
    return E.right({
      at: now,
      stores: known.map((one): StoreDifferences => {
        const found = compared.get(one.store)
        const takenIn = found?.comparison.takenIn ?? 0
        const unrecorded = found?.unrecorded ?? 0
        return {
          store: one.store ?? '',
          newFiles: one.newFiles ?? null,
          comparedAt: found?.comparison.comparedAt ?? null,
          new: takenIn + unrecorded,
          missing: found?.amounts.missing ?? 0,
          moved: found?.amounts.moved ?? 0,
          changed: found?.amounts.changed ?? 0,
          unlisted: found?.comparison.unlisted ?? 0,
          ...{ takenIn, unrecorded },
          unsettled: found ? sumOf(found.needs) : 0,
          requested: found?.comparison.requests.length ?? 0,
        }
      }),
      first: [...compared.values()].flatMap(rowsOf),
    })
  },
  rows: { row: Difference, of: ({ first }) => first },
  show: ({ stores, first }) => [
    ...stores.map(sentence),
    ...(first.length > 0
      ? [
          {
            rows: first,
            columns: [...wholeColumns('store', 'path'), ...columns('difference', 'detail', 'waitsFor')],
          },
        ]
      : []),
  ],
  nothing: ({ stores }) => (stores.length === 0 ? 'no store is known that Fonds reads' : undefined),
  remarks: ({ stores }) =>
    stores
      .filter(({ unrecorded }) => unrecorded > 0)
      .map(({ store }) => `\`fonds do fixity.take-in store=${store}\` records the new files of ${store}`),
  examples: [
    ['differences', 'all stores that are compared'],
    ['differences archive --format csv', 'the first names of each class'],
  ],
})
