import * as t from 'io-ts'
import { adoptions, dossiers } from '../../../domain/chain/views.ts'
import { areAll, countRows, rows } from '../../../domain/kernel/read-views.ts'
import { list } from '../../runtime/question.ts'
import { columns, toTheSecond } from '../../runtime/shown.ts'
import { chain } from '../projection.ts'
import { DossierLine, Standing } from './answers.ts'
import { lineColumns, offIn } from './columns.ts'
import { lineOf } from './reading.ts'

const rejections = { 'chain-off': { status: 409, description: 'No rule of the chain is on.' } } as const

export const objectsQuestion = list({
  name: 'objects',
  operationId: 'listChainObjects',
  summary: 'The objects in the chain: those that have been longest in their state first.',
  projection: chain,
  history: 'views',
  input: { state: { description: 'In this state alone.', codec: Standing, value: 'state' } },
  row: DossierLine,
  rejections,
  reject: (views, _, asking) => offIn(views, asking),
  ask: (views, { state, limit, offset }) =>
    rows(views, dossiers, {
      where: areAll({ state }),
      ...(state !== undefined && { orderBy: [{ column: 'since' }] }),
      limit,
      offset,
    }).map(lineOf),
  total: (views, { state }) => countRows(views, dossiers, ...areAll({ state })),
  columns: lineColumns,
  none: 'no object has come into the chain',
  examples: [
    ['objects --state at-risk', 'those of which something is not well'],
    ['objects --state working', 'those that wait for a check'],
  ],
})

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])

const Adoption = t.type({
  rule: t.string,
  begunAt: t.string,
  requestedAt: textOrNull,
  reason: textOrNull,
  /** Position in the log at which it ends, and that up to which it has come. */
  until: numberOrNull,
  reached: numberOrNull,
  versions: t.number,
  endedAt: textOrNull,
})

export const adoptionQuestion = list({
  name: 'adoption',
  operationId: 'chainAdoption',
  summary: 'How far the adoption of what was stored before the chain has come.',
  projection: chain,
  row: Adoption,
  rejections,
  reject: (views, _, asking) => offIn(views, asking),
  ask: (views, { limit }) => rows(views, adoptions, { limit }),
  columns: [
    ...columns('rule'),
    { key: 'begunAt', title: 'begun', show: toTheSecond },
    { key: 'requestedAt', title: 'adoption requested', show: toTheSecond },
    ...columns('versions'),
    {
      key: 'reached',
      title: 'of the log',
      show: (value, { until }) =>
        typeof value === 'number' && typeof until === 'number'
          ? `${Math.min(100, Math.floor((100 * value) / until))} %`
          : '',
    },
    { key: 'endedAt', title: 'ended', show: toTheSecond },
  ],
  none: 'no rule of the chain has begun: it does when a process with the role reactions starts',
  examples: [['adoption', 'how far it is, and whether it has ended']],
})
