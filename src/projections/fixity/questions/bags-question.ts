import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Verdict } from '../../../domain/fixity/bags/judging.ts'
import { stores } from '../../../domain/fixity/views.ts'
import { bytes } from '../../../domain/kernel/amounts.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { is, row } from '../../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { limit, offset } from '../../runtime/field.ts'
import { question } from '../../runtime/question.ts'
import { toTheSecond, wholeColumns } from '../../runtime/shown.ts'
import { fixity } from '../projection.ts'
import { BagCounts } from './answers.ts'
import { bagCountsText, countBags } from './bag-counts.ts'
import { noSuchStore, unknownStore } from './known.ts'
import { JudgedBag, type LiveBag, liveBags, shownBag } from './live-bags.ts'

const answerOf = (
  views: ViewStore,
  all: readonly LiveBag[],
  { limit, offset, verdict }: { readonly limit: number; readonly offset: number; readonly verdict?: Verdict },
  now: string,
) => {
  const wanted = all.filter((one) => verdict === undefined || one.verdict === verdict)
  return {
    at: now,
    counts: countBags(all),
    total: wanted.length,
    bags: wanted.slice(offset, offset + limit).map((one) => shownBag(views, one, now)),
  }
}

export const bagsQuestion = question({
  name: 'bags',
  summary:
    'Bags: valid or not since when, and by which rule, those that are not valid first. By the last listing, and by the last checks.',
  projection: fixity,
  history: 'views',
  input: {
    store: { description: 'Of this store alone.', codec: Text, example: 'main', argument: 'store' },
    prefix: { description: 'Paths that start so.', codec: Text, example: 'letters/', value: 'path' },
    verdict: {
      description: 'With this verdict alone: valid, not-valid or not-proven.',
      codec: Verdict,
      example: 'not-valid',
      value: 'verdict',
    },
    offset: { ...offset, description: 'Bags to pass over; none unless said.' },
    limit: { ...limit, description: 'Most bags; 100 unless said.', default: 100 },
  },
  answer: t.type({
    at: t.string,
    /** Counts of all of them, listed or not, whatever the verdict that was asked for. */
    counts: BagCounts,
    /** How many have the verdict that was asked for. */
    total: t.number,
    bags: t.readonlyArray(JudgedBag),
  }),
  returns: 'The bags, and how many there are.',
  schemaName: 'FixityBagStates',
  rejections: noSuchStore,
  ask: (views, { store, prefix, verdict, limit, offset }, { now }) => {
    if (store !== undefined && !row(views, stores, is('store', store))) return E.left(unknownStore(store))
    const all = liveBags(
      views,
      { ...(store !== undefined && { store }), ...(prefix !== undefined && { prefix }) },
      now,
    )
    return E.right(answerOf(views, all, { limit, offset, ...(verdict && { verdict }) }, now))
  },
  rows: { row: JudgedBag, of: ({ bags }) => bags },
  show: ({ bags }) => [
    {
      rows: bags,
      columns: [
        ...wholeColumns('store', 'bag'),
        {
          key: 'verdict',
          tone: (value) => (value === 'valid' ? 'good' : value === 'not-valid' ? 'bad' : 'warning'),
        },
        { key: 'since', show: toTheSecond },
        { key: 'rule' },
        { key: 'because' },
        { key: 'files' },
        { key: 'bytes', title: 'size', show: (n: unknown) => bytes(Number(n)) },
      ],
    },
  ],
  nothing: ({ total }) =>
    total === 0 ? 'no bag is listed; `fonds fixity check` lists those that are recorded' : undefined,
  remarks: ({ counts }) => [bagCountsText(counts)],
  examples: [
    ['bags archive', 'those that are not valid first'],
    ['bags --verdict not-proven --format csv', 'what is still to be read or listed, for a spreadsheet'],
  ],
})
