import * as t from 'io-ts'
import { dayOf } from '../../../domain/fixity/store/budget.ts'
import { bucketUse } from '../../../domain/fixity/views.ts'
import { bytes, count } from '../../../domain/kernel/amounts.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import { addMillis, DAY } from '../../../domain/kernel/time.ts'
import type { RowOf, Views } from '../../../domain/kernel/view.ts'

/** Requests to the bucket of a store, by class, and bytes as answers announced them. `puts`: any other that writes. */
const amounts = {
  gets: t.number,
  heads: t.number,
  lists: t.number,
  puts: t.number,
  deletes: t.number,
  bytesRead: t.number,
  bytesWritten: t.number,
}

export const BucketUse = t.type(amounts)
export type BucketUse = t.TypeOf<typeof BucketUse>

/** Days of UTC, the last one included. */
interface Days {
  readonly first: string
  readonly last: string
}

export const lastDays = (now: string, days: number): Days => ({
  first: dayOf(addMillis(now, -(days - 1) * DAY)),
  last: dayOf(now),
})

/** One row a store and day on which its bucket was asked anything; none where an older program folded the views. */
export const bucketUseOn = (
  views: Pick<Views, 'query'>,
  { first, last }: Days,
  store?: string,
): readonly RowOf<typeof bucketUse>[] =>
  rowsIfFolded(views, bucketUse, {
    where: [
      ...(store === undefined ? [] : [is('store', store)]),
      { column: 'day', is: '>=', value: first },
      { column: 'day', is: '<=', value: last },
    ],
    orderBy: [{ column: 'store' }, { column: 'day' }],
  })

/** All of some days, and the sentence that says it. */
export const UseInAll = t.intersection([BucketUse, t.type({ sentence: t.string })])
export type UseInAll = t.TypeOf<typeof UseInAll>

/** Undefined if nothing was asked. */
export const useInAll = (uses: readonly BucketUse[]): UseInAll | undefined => {
  const total = totalUse(uses)
  return total && { ...total, sentence: useSentence(total) }
}

/** Undefined if nothing was asked. */
export const totalUse = (uses: readonly BucketUse[]): BucketUse | undefined => {
  if (uses.length === 0) return undefined
  const sum = (name: keyof BucketUse) => uses.reduce((total, use) => total + use[name], 0)
  return {
    gets: sum('gets'),
    heads: sum('heads'),
    lists: sum('lists'),
    puts: sum('puts'),
    deletes: sum('deletes'),
    bytesRead: sum('bytesRead'),
    bytesWritten: sum('bytesWritten'),
  }
}

/** Names the classes of which there were any. */
export const useSentence = (use: BucketUse): string => {
  const { gets, heads, lists, puts, deletes, bytesRead, bytesWritten } = use
  const classes = [
    [gets, 'GET'],
    [lists, 'LIST'],
    [heads, 'HEAD'],
    [puts, 'PUT or POST'],
    [deletes, 'DELETE'],
  ] as const
  const made = classes.filter(([n]) => n > 0).map(([n, name]) => `${count(n)} ${name}`)
  const written = bytesWritten > 0 ? `, ${bytes(bytesWritten)} written` : ''
  return `${made.join(', ')}; ${bytes(bytesRead)} read${written}`
}
