import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { StoreName } from '../../../domain/fixity/item.ts'
import { items, stores } from '../../../domain/fixity/views.ts'
import { bytes, count, plural } from '../../../domain/kernel/amounts.ts'
import { is, row } from '../../../domain/kernel/read-views.ts'
import { offset, whole } from '../../runtime/field.ts'
import { question } from '../../runtime/question.ts'
import { fixity } from '../projection.ts'
import { Counts, type Section } from './answers.ts'
import { countFolder } from './folder-counts.ts'
import { noSuchStore, unknownStore } from './known.ts'
import { total } from './sections.ts'

const Folder = t.type({
  /** From the store's root, with a slash at its end; `.` for the files directly in the folder that was asked for. */
  prefix: t.string,
  counts: Counts,
  bytes: t.number,
})

/** Most folders drawn in proportion; smaller ones are in the list alone. */
const largestShown = 60

/** Sort weight of a folder: problems that need somebody come first, then late items. */
const wrongIn = ({ counts }: Section): number =>
  (counts.failed + counts.suspect + counts.parked) * 1e9 + counts.late

/** The folders of a store, by the states of the items in them. */
export const foldersQuestion = question({
  name: 'folders',
  summary:
    'What lies directly in a folder, those with something wrong first: how many items, and in which states.',
  projection: fixity,
  history: 'views',
  input: {
    store: {
      description: 'Its store.',
      codec: StoreName,
      example: 'main',
      required: true,
      argument: 'store',
    },
    folder: {
      description: 'The folder, from the root of the store; the root itself unless said.',
      codec: t.string,
      default: '',
      example: 'letters/1912',
      argument: 'folder',
    },
    offset: { ...offset, description: 'Folders to pass over; none unless said.' },
    limit: { ...whole(1, 1000), description: 'Most folders; 200 unless said.', default: 200 },
  },
  answer: t.type({
    at: t.string,
    store: t.string,
    folder: t.string,
    /** Counts of all items below the folder. */
    counts: Counts,
    bytes: t.number,
    /** Those with something wrong first, then the largest. */
    folders: t.readonlyArray(Folder),
    /** How many there are, listed or not. */
    total: t.number,
    /** Those with the most items, at most 60. */
    largest: t.readonlyArray(Folder),
    /** False: more than 100,000 folders lie below, and those alone are counted that come first by name. */
    isWhole: t.boolean,
    /** False: more than 20,000 checks are late, and their items are counted by the state that they were found in. */
    isLateCounted: t.boolean,
  }),
  returns: 'The folders, and how many there are.',
  schemaName: 'FixityFolders',
  rejections: noSuchStore,
  ask: (views, { store, folder, offset, limit }, { now }) => {
    const isKnown = row(views, stores, is('store', store)) ?? row(views, items, is('store', store))
    if (!isKnown) return E.left(unknownStore(store))
    const asked = folder.replace(/\/+$/, '')
    const { sections, isWhole, isLateCounted } = countFolder(views, store, asked, now)
    const largest = [...sections]
      .map(([prefix, section]) => ({ prefix, ...section }))
      .sort((one, other) => other.counts.expected - one.counts.expected)
    const folders = largest.toSorted((one, other) => wrongIn(other) - wrongIn(one))
    return E.right({
      at: now,
      store,
      folder: asked,
      ...total(largest),
      folders: folders.slice(offset, offset + limit),
      total: folders.length,
      largest: largest.slice(0, largestShown),
      isWhole,
      isLateCounted,
    })
  },
  rows: { row: Folder, of: ({ folders }) => folders },
  show: ({ folders }) => [
    {
      rows: folders.map(({ prefix, counts, bytes }) => ({ prefix, bytes, ...counts })),
      columns: [
        { key: 'prefix', title: 'folder' },
        ...(
          ['expected', 'verified', 'unread', 'failed', 'suspect', 'late', 'unchecked', 'parked'] as const
        ).map((key) => ({
          key,
          show: (n: unknown) => count(Number(n)),
        })),
        { key: 'bytes', title: 'size', show: (n: unknown) => bytes(Number(n)) },
      ],
    },
  ],
  nothing: ({ total }) => (total === 0 ? 'nothing is recorded there' : undefined),
  remarks: ({ total, folders, isWhole, isLateCounted }) => [
    ...(total > folders.length
      ? [`${count(folders.length)} of ${plural(total, 'folder')}: --offset shows others`]
      : []),
    ...(isWhole
      ? []
      : ['more than 100,000 folders lie below: those alone are counted that come first by name']),
    ...(isLateCounted
      ? []
      : ['more than 20,000 checks are late: their items are counted by their last state']),
  ],
  examples: [
    ['folders archive', 'the top folders'],
    ['folders archive letters/1912', 'what lies in one of them'],
  ],
})
