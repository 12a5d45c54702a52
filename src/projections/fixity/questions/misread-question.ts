import { digestAlgorithm } from '@fonds/digests'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { StoreName } from '../../../domain/fixity/item.ts'
import { type Candidate, loneStem, Misreading, otherReadings } from '../../../domain/fixity/misreading.ts'
import { asRecordedColumns, items, stores, wasAsRecorded } from '../../../domain/fixity/views.ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import { is, narrowRows, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { whole } from '../../runtime/field.ts'
import { question } from '../../runtime/question.ts'
import { columns } from '../../runtime/shown.ts'
import { fixity } from '../projection.ts'
import { noSuchStore, unknownStore } from './known.ts'

const Misread = t.type({
  store: t.string,
  path: t.string,
  misread: Misreading,
  /** The file that was meant, which a check has found. */
  file: t.string,
})
type Misread = t.TypeOf<typeof Misread>

/** Items that no check ever saw, and whose name, read rightly, is that of a file that is there. */
export const misreadQuestion = question({
  name: 'misread',
  summary:
    'Items that were never there: an earlier version read their names wrongly, and the files that were meant are there.',
  projection: fixity,
  input: {
    store: {
      description: 'The store.',
      codec: StoreName,
      example: 'main',
      required: true,
      argument: 'store',
    },
    limit: { ...whole(1, 100_000), description: 'So many at most; 1000 unless said.', default: 1000 },
  },
  answer: t.type({ items: t.readonlyArray(Misread) }),
  returns: 'The items, by path, as fixity.withdraw-misread takes them.',
  schemaName: 'FixityMisread',
  rejections: noSuchStore,
  ask: (views, { store, limit }) =>
    rows(views, stores, { where: [is('store', store)], limit: 1 }).length === 0
      ? E.left(unknownStore(store))
      : E.right({ items: [...misreadItems(views, store).take(limit)] }),
  rows: { of: ({ items }) => items },
  show: ({ items }) => [
    `${plural(items.length, 'item')}: \`fonds do fixity.withdraw-misread --each <these as ndjson>\` takes them back`,
    { rows: items, columns: columns('path', 'misread', 'file') },
  ],
  nothing: ({ items }) => (items.length === 0 ? 'no item of a misread name is known' : undefined),
  examples: [
    ['misread archive', 'what can be taken back'],
    ['misread archive --format ndjson', 'a list for fixity.withdraw-misread --each'],
  ],
})

const pageSize = 1000

function* misreadItems(views: Pick<ViewStore, 'query' | 'shape'>, store: string): Generator<Misread> {
  const columns = ['path', 'seenAsFile', ...asRecordedColumns(views.shape(items.name))] as const
  for (let after = ''; ; ) {
    const page = narrowRows(views, items, columns, {
      where: [
        is('store', store),
        is('removed', 0),
        { column: 'state', is: 'in', value: ['failed', 'suspect', 'unchecked', 'lost'] },
        { column: 'path', is: '>', value: after },
      ],
      orderBy: [{ column: 'path' }],
      limit: pageSize,
    })
    for (const row of page) {
      const { path, seenAsFile } = row
      if (wasAsRecorded(row) || seenAsFile === 1) continue
      const meant =
        otherReadings(path).find(({ file }) => isThere(views, store, file)) ?? loneFile(views, store, path)
      if (meant) yield { store, path, ...meant }
    }
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last.path
  }
}

const isThere = (views: Pick<Views, 'query'>, store: string, path: string): boolean => {
  const [found] = rows(views, items, { where: [is('store', store), is('path', path)], limit: 1 })
  return found !== undefined && found.removed === 0 && wasAsRecorded(found)
}

/** `film.mov` of `film`, where that is the only file of the name. */
const loneFile = (views: Pick<Views, 'query'>, store: string, path: string): Candidate | undefined => {
  const found = rows(views, items, {
    where: [is('store', store), is('removed', 0), { column: 'path', is: 'prefix', value: loneStem(path) }],
    limit: 3,
  }).filter((row) => wasAsRecorded(row) && isOther(row.path.slice(loneStem(path).length)))
  const [file, ...more] = found
  return file && more.length === 0 ? { misread: 'lone-digest', file: file.path } : undefined
}

/** False for a folder's file, and for the file of a digest. */
const isOther = (ending: string): boolean =>
  !ending.includes('/') && digestAlgorithm(ending.slice(ending.lastIndexOf('.') + 1)) === undefined
