import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { StoreName } from '../../../domain/fixity/item.ts'
import { hasUnread, items, stores } from '../../../domain/fixity/views.ts'
import { bytes, count, plural } from '../../../domain/kernel/amounts.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { type ConditionOn, countRows, is, row, rows, tally } from '../../../domain/kernel/read-views.ts'
import { question } from '../../runtime/question.ts'
import { fixity } from '../projection.ts'
import { noSuchStore, unknownStore } from './known.ts'

const orNull = t.union([t.string, t.null])

const Archived = t.type({
  store: t.string,
  /** Items that their last check found archived, and did not read. */
  items: t.number,
  /** Bytes of those whose size is recorded. */
  bytes: t.number,
  /** Items whose size nobody recorded. */
  unknownSize: t.number,
  /** Those of `items` whose bytes no check has ever read and found as recorded. */
  neverRead: t.number,
  /** The longest time ago that the bytes of one of the others were read. */
  readSince: orNull,
})

/** Estimates a restoration without asking the bucket. */
export const archivedQuestion = question({
  name: 'archived',
  summary:
    'How many items, and bytes, the last checks found archived: what a restoration would be asked for.',
  projection: fixity,
  history: 'views',
  input: {
    store: {
      description: 'The store.',
      codec: StoreName,
      example: 'main',
      required: true,
      argument: 'store',
    },
    prefix: { description: 'Paths that start so.', codec: Text, example: 'letters/', value: 'path' },
  },
  answer: Archived,
  returns: 'The amounts, as of the last check of each item.',
  schemaName: 'FixityArchived',
  rejections: noSuchStore,
  ask: (views, { store, prefix }) => {
    if (!row(views, stores, is('store', store))) return E.left(unknownStore(store))
    const none = { store, items: 0, bytes: 0, unknownSize: 0, neverRead: 0, readSince: null }
    if (!hasUnread(views.shape(items.name))) return E.right(none)
    const where: readonly ConditionOn<typeof items>[] = [
      is('store', store),
      is('removed', 0),
      is('unread', 1),
      ...(prefix === undefined ? [] : [{ column: 'path', is: 'prefix', value: prefix } as const]),
    ]
    const [found] = tally(views, items, { by: [], sum: ['size'], where })
    const oldest = rows(views, items, {
      where: [...where, { column: 'lastVerified', is: '>=', value: '' }],
      orderBy: [{ column: 'lastVerified' }],
      limit: 1,
    })[0]
    return E.right({
      store,
      items: found?.count ?? 0,
      bytes: found?.size ?? 0,
      unknownSize: countRows(views, items, ...where, is('size', null)),
      neverRead: countRows(views, items, ...where, is('lastVerified', null)),
      readSince: oldest?.lastVerified ?? null,
    })
  },
  rows: { of: (answer) => [answer] },
  show: ({ items: some, bytes: size, unknownSize, neverRead, readSince }) => [
    `${plural(some, 'item was', 'items were')} archived at the last check, ${bytes(size)}` +
      (unknownSize > 0 ? `, and ${count(unknownSize)} of unknown size` : ''),
    ...(some > 0
      ? [
          `${count(neverRead)} of them were never read` +
            (readSince === null ? '' : `; of the others one was read last at ${readSince}`),
        ]
      : []),
  ],
  nothing: ({ items: some }) => (some === 0 ? 'no check has found an archived item there' : undefined),
  examples: [
    ['archived archive-main', 'before `fonds fixity restore`, without asking the bucket'],
    ['archived archive-main --prefix letters/', 'below a prefix'],
  ],
})
