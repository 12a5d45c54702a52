import * as t from 'io-ts'
import { BagRule, isRemoved, type Judgement, judgeBag, Verdict } from '../../../domain/fixity/bags/judging.ts'
import { defaultPolicy } from '../../../domain/fixity/store/events.ts'
import { bags, items, stores } from '../../../domain/fixity/views.ts'
import { is, narrowRows, row, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { RowOf } from '../../../domain/kernel/view.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { bagContents, folderOfBag, withFirst, withReadSince } from './bag-contents.ts'

export const JudgedBag = t.type({
  store: t.string,
  /** Path of its folder; `.` is the root of the store. */
  bag: t.string,
  verdict: Verdict,
  /** Time since which it has this verdict; if a check has changed it since the last listing, the time of that check. */
  since: t.string,
  rule: BagRule,
  because: t.string,
  /** Payload, as it was listed last. */
  files: t.number,
  bytes: t.number,
  listedAt: t.string,
})
export type JudgedBag = t.TypeOf<typeof JudgedBag>

type BagRow = RowOf<typeof bags>

/** A bag with its verdict as of now: by its last listing, and by the items as they are. */
export interface LiveBag extends Judgement {
  readonly row: BagRow
  readonly content: ReturnType<typeof withFirst>
  readonly intervalDays: number
}

/**
 * The bags of these stores whose paths start with `prefix`, in the order of their verdicts, the worst first; without
 * those that were removed on purpose, unless `bag` names one.
 */
export const liveBags = (
  views: ViewStore,
  { store, prefix = '', bag }: { readonly store?: string; readonly prefix?: string; readonly bag?: string },
  now: string,
): readonly LiveBag[] => {
  const found = rowsIfFolded(views, bags, {
    where: [
      ...(store === undefined ? [] : [is('store', store)]),
      ...(bag === undefined ? [] : [is('bag', bag)]),
      ...(prefix === '' ? [] : [{ column: 'bag', is: 'prefix', value: prefix } as const]),
    ],
  })
  return [...Map.groupBy(found, (one) => one.store)]
    .flatMap(([name, known]) => {
      const intervalDays = row(views, stores, is('store', name))?.intervalDays ?? defaultPolicy.intervalDays
      const names = known.map((one) => one.bag ?? '.')
      const folder = bag === undefined ? '' : folderOfBag(bag)
      const contents = bagContents(views, name, folder, names, now)
      return known.map((one): LiveBag => {
        const counted = contents.get(one.bag ?? '.') ?? {
          states: {},
          baselinedPayload: 0,
          late: 0,
          first: null,
        }
        const content = withReadSince(views, name ?? '', one.structure, counted)
        return { row: one, content, intervalDays, ...judgeBag(one.structure, content, { now, intervalDays }) }
      })
    })
    .filter((one) => bag !== undefined || !isRemoved(one.row.structure, one.content))
    .sort((one, other) => order[one.verdict] - order[other.verdict])
}

const order = { 'not-valid': 0, 'not-proven': 1, valid: 2 } as const

/** For people and programs; names the item that the rule speaks of. */
export const shownBag = (
  views: ViewStore,
  { row: found, content, intervalDays }: LiveBag,
  now: string,
): JudgedBag => {
  const { store, bag, structure } = found
  const named = withFirst(views, store ?? '', bag ?? '.', content)
  const judgement = judgeBag(structure, named, { now, intervalDays })
  const { files, bytes, listedAt } = structure
  return {
    store: store ?? '',
    bag: bag ?? '.',
    ...judgement,
    since:
      judgement.verdict === found.verdict ? found.since : (lastCheckBelow(views, found) ?? found.judgedAt),
    ...{ files, bytes, listedAt },
  }
}

const lastCheckBelow = (views: ViewStore, { store, bag }: BagRow): string | undefined =>
  extremeBelow(views, store ?? '', bag ?? '.', 'lastChecked', true)

/** The first or last such time of the items below a bag; undefined if there is none. */
export const extremeBelow = (
  views: ViewStore,
  store: string,
  bag: string,
  column: 'lastChecked' | 'lastVerified',
  isLast: boolean,
): string | undefined => {
  const folder = folderOfBag(bag)
  const [found] = narrowRows(views, items, [column], {
    where: [
      is('store', store),
      { column, is: '!=', value: null },
      ...(folder === '' ? [] : [{ column: 'path', is: 'prefix', value: `${folder}/` } as const]),
    ],
    orderBy: [{ column, descending: isLast }],
    limit: 1,
  })
  return found?.[column] ?? undefined
}
