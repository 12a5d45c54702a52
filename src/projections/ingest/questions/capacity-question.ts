import * as E from 'fp-ts/lib/Either.js'
import { promisedBytes, roomIn, roomLeft } from '../../../domain/ingest/room.ts'
import type { JobState } from '../../../domain/ingest/transitions.ts'
import { claims } from '../../../domain/ingest/views.ts'
import type { WorkArea } from '../../../domain/ingest/work-area.ts'
import { bytes, plural } from '../../../domain/kernel/amounts.ts'
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
  summary:
    'What jobs need of the work volume, and how full it is: what waits for room, is promised, is there.',
  description:
    'Jobs of unknown size are counted apart. A job waits for room while what is used, what is promised and what it needs ' +
    'are more than the volume may hold together.',
  projection: ingest,
  history: 'views',
  input: {},
  answer: CapacityAnswer,
  returns: 'Jobs and bytes.',
  schemaName: 'IngestCapacity',
  ask: async (views, _, { of, asOf }) => E.right(await capacity(views, of.ingest, asOf !== undefined)),
  show: (answer, { asOf }) => [
    { rows: roomRows(answer), columns: [...columns('what', 'jobs'), sizeColumn, ...columns('unknown')] },
    volumeSentence(answer, asOf),
    ...answer.volumes.map(
      ({ volume, holder, until }) => `${holder} gives out the room of ${volume} until ${until}`,
    ),
  ],
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

const capacity = async (views: Views, area: WorkArea, isPast: boolean): Promise<CapacityAnswer> => {
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
  const { thresholdPercent, unknownBytes } = area
  const volume = isPast ? undefined : await area.workVolume()
  const promised = promisedBytes(views, area)
  return {
    volume: volume
      ? {
          totalBytes: volume.total,
          usedBytes: volume.used,
          mayUseBytes: Math.floor(roomIn(volume, area)),
          promisedBytes: promised,
          leftBytes: Math.floor(roomLeft(volume, area, promised)),
        }
      : null,
    thresholdPercent,
    unknownBytes,
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

const volumeSentence = ({ volume, thresholdPercent }: CapacityAnswer, asOf: string | undefined): string => {
  if (asOf !== undefined) return 'how full the work volume was then is not known'
  if (volume === null)
    return 'how full the work volume is cannot be said: this process does not see its folder (FONDS_INGEST_WORK)'
  const { totalBytes, usedBytes, mayUseBytes, promisedBytes: promised, leftBytes } = volume
  const left = leftBytes >= 0 ? `${bytes(leftBytes)} are left` : `that is ${bytes(-leftBytes)} too much`
  return `${bytes(usedBytes)} of ${bytes(totalBytes)} of the work volume are used, ${bytes(promised)} are promised, ${bytes(mayUseBytes)} (${thresholdPercent} %) may be used: ${left}`
}
