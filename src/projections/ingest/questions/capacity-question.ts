import * as E from 'fp-ts/lib/Either.js'
import type { JobState } from '../../../domain/ingest/transitions.ts'
import { claims } from '../../../domain/ingest/views.ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import { is, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { question } from '../../runtime/question.ts'
import { columns } from '../../runtime/shown.ts'
import { ingest } from '../projection.ts'
import { CapacityAnswer } from './answers.ts'
import { sizeColumn } from './list-columns.ts'
import { summaryLines } from './summary.ts'

export const capacityQuestion = question({
  name: 'capacity',
  operationId: 'ingestCapacity',
  summary: 'What jobs need of the work volume: what waits for room, what is promised, what is there.',
  description:
    'Jobs of unknown size are counted apart. A job waits for room while what is used, what is promised and what it needs ' +
    'are more than the volume may hold together.',
  projection: ingest,
  past: 'views',
  input: {},
  answer: CapacityAnswer,
  returns: 'Jobs and bytes.',
  schemaName: 'IngestCapacity',
  ask: (views) => E.right(capacity(views)),
  show: (answer) => [
    { rows: roomRows(answer), columns: [...columns('what', 'jobs'), sizeColumn, ...columns('unknown')] },
    ...answer.volumes.map(
      ({ volume, holder, until }) => `${holder} gives out the room of ${volume} until ${until}`,
    ),
  ],
  nothing: (answer) =>
    roomRows(answer).every(({ jobs }) => jobs === 0) ? 'no job needs any room' : undefined,
  remarks: ({ waiting: { jobs, unknown } }) =>
    jobs === 0
      ? []
      : [
          `${plural(jobs, 'job')} ${jobs === 1 ? 'waits' : 'wait'} for room${unknown > 0 ? `, ${unknown} of unknown size` : ''}: \`fonds ingest queue provisioning\` shows them in order`,
        ],
  examples: [['capacity', 'what is needed, and what is promised']],
})

const parts = {
  waiting: ['provisioning'],
  promised: ['downloading'],
  working: ['processing', 'storing', 'recording', 'notify'],
  failed: ['failed'],
} as const satisfies Record<string, readonly JobState[]>

type Part = keyof typeof parts

const titles: Readonly<Record<Part, string>> = {
  waiting: 'waits for room',
  promised: 'is promised',
  working: 'is there',
  failed: 'is kept for failed jobs',
}

const capacity = (views: Views): CapacityAnswer => {
  const lines = summaryLines(views, { limit: Number.POSITIVE_INFINITY })
  const room = (part: Part): CapacityAnswer[Part] => {
    const sum = { jobs: 0, bytes: 0, unknown: 0 }
    for (const line of lines)
      if ((parts[part] as readonly JobState[]).includes(line.state)) {
        sum.jobs += line.jobs
        sum.bytes += line.bytes
        sum.unknown += line.unknown
      }
    return sum
  }
  return {
    waiting: room('waiting'),
    promised: room('promised'),
    working: room('working'),
    failed: room('failed'),
    volumes: rows(views, claims, { where: [is('kind', 'volume')] }).map(({ id, holder, deadline }) => ({
      volume: id,
      holder,
      until: deadline,
    })),
  }
}

const roomRows = (answer: CapacityAnswer) =>
  (Object.keys(parts) as Part[]).map((part) => ({ what: titles[part], ...answer[part] }))
