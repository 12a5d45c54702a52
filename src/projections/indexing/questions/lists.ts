import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { RepositoryName } from '../../../domain/indexing/file.ts'
import { Kind } from '../../../domain/indexing/kind.ts'
import { bytes, count } from '../../../domain/kernel/amounts.ts'
import { Flag } from '../../../domain/kernel/text-codecs.ts'
import { type Field, limit, whole } from '../../runtime/field.ts'
import { list, question } from '../../runtime/question.ts'
import { type Column, columns, type Tone, toTheSecond } from '../../runtime/shown.ts'
import { indexing } from '../projection.ts'
import { ageLines } from './age-lines.ts'
import { AgeLine, FailedLine, FileLine, FileState, ReportLine } from './answers.ts'
import {
  countFailed,
  countFiles,
  countLines,
  failedLines,
  fileLines,
  lateHours,
  lateLines,
} from './file-lines.ts'

const common = { projection: indexing, history: 'views' } as const

const ofRepository = {
  description: 'Of this repository alone.',
  codec: RepositoryName,
  value: 'name',
} as const satisfies Field
const ofKind = { description: 'Of this kind alone.', codec: Kind, value: 'kind' } as const satisfies Field

const tones: Readonly<Partial<Record<string, Tone>>> = {
  indexed: 'good',
  failed: 'warning',
  parked: 'bad',
  unknown: 'warning',
  withdrawn: 'quiet',
}
const stateColumn: Column = { key: 'state', tone: (state) => tones[String(state)] }
const nameColumns: readonly Column[] = [{ key: 'repository' }, { key: 'name', leaveOut: 'middle' }]
const linesColumn: Column = { key: 'lines', show: (n) => (typeof n === 'number' ? count(n) : '') }
const sizeColumn: Column = { key: 'size', show: (n) => (typeof n === 'number' ? bytes(n) : '') }
const lostColumn: Column = {
  key: 'lostBytes',
  title: 'lost',
  show: (n) => (typeof n === 'number' && n > 0 ? bytes(n) : ''),
}
const timeColumn = (key: string, title: string): Column => ({ key, title, show: toTheSecond })
const failureColumns: readonly Column[] = [
  ...columns('failures', 'code'),
  { key: 'because' },
  { key: 'offset', show: (n) => (typeof n === 'number' ? count(n) : '') },
]

export const filesQuestion = question({
  ...common,
  name: 'files',
  operationId: 'listIndexingFiles',
  summary: 'The archive files, most recent first: the state of each, and how many lines it has in the index.',
  input: {
    state: { description: 'In this state alone.', codec: FileState, value: 'state' },
    kind: ofKind,
    repository: ofRepository,
    conflict: {
      description: 'Those alone whose name has different contents in two places; or, with false, the others.',
      codec: Flag,
      value: 'true|false',
    },
    salvaged: {
      description:
        'Those alone that are damaged, and of which what is whole is in the index; or, with false, the others.',
      codec: Flag,
      value: 'true|false',
    },
    order: {
      description: 'The most recent first, or by name; recent unless said.',
      codec: t.keyof({ recent: null, name: null }, 'recent or name'),
      default: 'recent',
      value: 'order',
    },
    offset: { ...whole(0, 1e9), description: 'Files to pass over; none unless said.', default: 0 },
    limit,
  },
  answer: t.type({
    files: t.readonlyArray(FileLine),
    /** Number of all, listed or not. */
    total: t.number,
  }),
  returns: 'The files, and how many there are.',
  ask: (views, { limit, offset, order, ...scope }) =>
    E.right({
      files: fileLines(views, { ...scope, limit, offset, order }),
      total: countFiles(views, scope),
    }),
  prints: 'rows',
  rows: { row: FileLine, of: ({ files }) => files },
  show: ({ files }) => [
    {
      rows: files,
      columns: [
        ...nameColumns,
        stateColumn,
        linesColumn,
        sizeColumn,
        timeColumn('modifiedAt', 'changed'),
        timeColumn('indexedAt', 'indexed'),
        lostColumn,
        { key: 'embargoUntil', title: 'embargo until' },
      ],
    },
  ],
  nothing: ({ total }) =>
    total === 0 ? 'there is no such file: `fonds indexing add <folder>` makes files known' : undefined,
  examples: [
    ['files', 'the most recent first'],
    ['files --state unknown', 'those whose names do not say what they are'],
    ['files --conflict true', 'names with different contents in two places'],
    ['files --salvaged true', 'damaged ones of which a part is in the index'],
  ],
})

export const failedQuestion = list({
  ...common,
  name: 'failed',
  operationId: 'listFailedIndexing',
  summary: 'The files that could not be indexed, with reasons: the most failures first.',
  input: { repository: ofRepository },
  row: FailedLine,
  ask: failedLines,
  total: countFailed,
  columns: [...nameColumns, stateColumn, ...failureColumns, { key: 'command', title: 'may help' }],
  none: 'no file failed',
  examples: [['failed', 'what is wrong with each, and what may help']],
})

export const lateQuestion = list({
  ...common,
  name: 'late',
  operationId: 'listLateIndexing',
  summary: 'The files that have not been in the index for long, the oldest first.',
  input: {
    hours: { ...whole(0, 100_000), description: 'For so many hours; 60 unless said.', default: lateHours },
    repository: ofRepository,
  },
  row: FileLine,
  ask: (views, scope, { now }) => lateLines(views, now, scope),
  columns: [
    ...nameColumns,
    stateColumn,
    timeColumn('unpublishedSince', 'not found since'),
    ...failureColumns,
  ],
  none: 'none is late',
  examples: [
    ['late', 'before it is three days'],
    ['late --hours 1', 'what was not found within the hour'],
  ],
})

export const agesQuestion = list({
  ...common,
  name: 'ages',
  operationId: 'indexingAges',
  summary: 'How many files are not in the index, by state, and by how long they have not been.',
  input: { repository: ofRepository },
  row: AgeLine,
  ask: (views, scope, { now }) => ageLines(views, now, scope),
  columns: [
    stateColumn,
    { key: 'fromHours', title: 'for hours' },
    { key: 'toHours', title: 'less than', show: (n) => (typeof n === 'number' ? count(n) : '') },
    { key: 'files', show: (n) => count(Number(n)) },
  ],
  none: 'every file is in the index, or is not to be',
  examples: [['ages', 'what waits, and for how long']],
})

export const reportQuestion = list({
  ...common,
  name: 'report',
  operationId: 'indexingReport',
  summary: 'How many files there are in each state, with their lines and bytes.',
  input: { repository: ofRepository },
  row: ReportLine,
  ask: (views, { repository, limit }) => countLines(views, repository).slice(0, limit),
  columns: [
    { key: 'repository' },
    stateColumn,
    { key: 'kind' },
    { key: 'files', show: (n) => count(Number(n)) },
    linesColumn,
    { key: 'bytes', title: 'size', show: (n) => bytes(Number(n)) },
    { key: 'salvaged', show: (n) => (Number(n) > 0 ? count(Number(n)) : '') },
    lostColumn,
  ],
  none: 'no file is known: `fonds indexing add <folder>` makes files known',
  examples: [['report', 'how far it is']],
})
