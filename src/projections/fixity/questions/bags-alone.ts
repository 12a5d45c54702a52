import * as t from 'io-ts'
import { isRemoved } from '../../../domain/fixity/bags/judging.ts'
import { bags, resolutions } from '../../../domain/fixity/views.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { RowOf } from '../../../domain/kernel/view.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { liveBags } from './live-bags.ts'

export const BagAlone = t.type({
  store: t.string,
  /** Path of its folder; `.` is the root of the store. */
  bag: t.string,
  /** Why it is not valid, in a sentence. */
  because: t.string,
  since: t.string,
})
export type BagAlone = t.TypeOf<typeof BagAlone>

/** Most bags that are looked at in one go: this is asked at every move of the log. */
export const maxBagsAlone = 100

interface Scope {
  readonly store?: string | undefined
  readonly prefix?: string | undefined
}

/**
 * Incomplete bags (B1) without an open finding about a file in them, the oldest first: nothing else names a stray file
 * as what is wrong. Whether a bag is complete was decided when it was listed: none is judged anew.
 */
export const bagsAlone = (
  views: ViewStore,
  now: string,
  { store, prefix = '' }: Scope = {},
): readonly BagAlone[] =>
  rowsIfFolded(views, bags, {
    where: [
      is('rule', 'B1'),
      ...(store === undefined ? [] : [is('store', store)]),
      ...(prefix === '' ? [] : [{ column: 'bag', is: 'prefix', value: prefix } as const]),
    ],
    orderBy: [{ column: 'since' }],
    limit: maxBagsAlone,
  })
    .filter((row) => !hasFinding(views, row) && isThere(views, row, now))
    .map((row) => ({
      store: row.store ?? '',
      bag: row.bag ?? '.',
      because: row.because.replace(/\.$/, ''),
      since: row.since,
    }))

type BagRow = RowOf<typeof bags>

const hasFinding = (views: ViewStore, { store, bag }: BagRow): boolean =>
  rowsIfFolded(views, resolutions, {
    where: [
      is('store', store),
      ...(bag === '.' ? [] : [{ column: 'path', is: 'prefix', value: `${bag}/` } as const]),
      is('status', 'open'),
    ],
    limit: 1,
  }).length > 0

/** It was not removed on purpose. Items are counted only where its last listing found nothing. */
const isThere = (views: ViewStore, { store, bag, structure }: BagRow, now: string): boolean =>
  !isRemoved(structure, { states: {} }) ||
  liveBags(views, { store: store ?? '', bag: bag ?? '.' }, now).some(
    ({ content }) => !isRemoved(structure, content),
  )
