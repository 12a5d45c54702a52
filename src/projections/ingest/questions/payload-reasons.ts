import { batches } from '../../../domain/ingest/views.ts'
import { count, plural } from '../../../domain/kernel/amounts.ts'
import { is, narrowRows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { BatchRow } from '../tables.ts'
import type { BatchReason } from './batch-reason.ts'
import { hasWorker } from './has-worker.ts'
import { holdOfAll, holdOfCollection } from './reading.ts'
import type { WhyAsking } from './why.ts'
import type { WhyReason } from './why-answer.ts'
import { runningJobs, workMeanwhile } from './why-turn.ts'

const maxAhead = 1000

/** Reasons of a batch itself: its payload is not read, or its report is not made. None while a worker does it. */
export const payloadReasons = async (
  views: Views,
  batch: BatchRow,
  asking: WhyAsking,
): Promise<readonly BatchReason[]> =>
  (await reasonsOf(views, batch, asking)).map((reason) => ({ ...reason, job: null, ofJobs: 0 }))

const reasonsOf = async (views: Views, batch: BatchRow, asking: WhyAsking): Promise<WhyReason[]> => {
  const { state, message, actor: who, lastModified: since, holder, heldUntil } = batch
  const name = batch.number ?? batch.batch
  if (state === 'held')
    return [
      {
        kind: 'held',
        says: `held by ${who} since ${since}: ${message ?? 'no reason is given'}; \`fonds do ingest.release-batch batch=${name}\` lets it go on, once its collection is not on hold`,
        who,
        since,
        ...because(message),
      },
    ]
  if (state === 'failed')
    return [
      {
        kind: 'failed',
        says: `its payload could not be read: ${message ?? 'no reason is given'}; \`fonds do ingest.resume-batch batch=${name}\` has it read again`,
        who,
        since,
        ...because(message),
      },
    ]
  if (holder !== null && (heldUntil ?? '') > asking.now) return []
  const stopped = [...paused(views), ...collectionHold(views, batch), ...putOff(batch)]
  if (stopped.length > 0) return stopped
  const { asOf, eventStore, now } = asking
  const works = asOf === undefined && eventStore ? await hasWorker(eventStore, now) : undefined
  return [...(await elsewhere(batch, asking)), turn(views, batch, asking, works)]
}

const because = (message: string | null) => (message === null ? {} : { because: message })

const paused = (views: Views): readonly WhyReason[] => {
  const hold = holdOfAll(views)
  if (!hold) return []
  const { actor: who, reason, since } = hold
  return [
    {
      kind: 'paused',
      says: `${who} paused all ingest on ${since}: ${reason}; \`fonds do ingest.unpause\` lets it go on`,
      who,
      since,
      because: reason,
    },
  ]
}

/** A hold on a collection stops no report. */
const collectionHold = (views: Views, { state, collection }: BatchRow): readonly WhyReason[] => {
  const hold = state === 'pending' ? holdOfCollection(views, collection) : undefined
  if (!hold) return []
  const { actor: who, reason, since } = hold
  return [
    {
      kind: 'collection-on-hold',
      says: `${who} put collection ${collection} on hold on ${since}: ${reason}; \`fonds do ingest.release-collection collection=${collection}\` ends that`,
      who,
      since,
      because: reason,
    },
  ]
}

const putOff = ({ putOffUntil: until, putOffFor }: BatchRow): readonly WhyReason[] =>
  until === null || putOffFor === null
    ? []
    : [
        {
          kind: 'put-off',
          says: `it is put off until ${until}, and goes on once this is over: ${putOffFor}`,
          until,
          because: putOffFor,
        },
      ]

/** Its payload is at a site that this process does not have. */
const elsewhere = async ({ site, task }: BatchRow, { asOf, of }: WhyAsking): Promise<readonly WhyReason[]> =>
  task !== 'open' || site === '' || asOf !== undefined || (await of.ingest.sites()).includes(site)
    ? []
    : [
        {
          kind: 'waits-for-site',
          says: `its payload is at ${site} alone: a node that has this home goes on with it`,
        },
      ]

const turn = (
  views: Views,
  { task, number }: BatchRow,
  { now, of: { ingest: area } }: WhyAsking,
  works: boolean | undefined,
): WhyReason => {
  const before = narrowRows(views, batches, ['number'], {
    where: [
      is('task', task),
      { column: 'available', is: '<=', value: now },
      { column: 'number', is: '<', value: number ?? 0 },
    ],
    limit: maxAhead,
  })
  const running = runningJobs(views, now).length
  const what = task === 'open' ? 'its payload is to be read' : 'its report is to be made'
  const ahead = before.length
  const those =
    ahead === 0
      ? 'it is the next'
      : `${ahead === maxAhead ? `${count(ahead)} batches or more` : plural(ahead, 'batch', 'batches')} ${ahead === 1 ? 'goes' : 'go'} before it`
  return {
    kind: ahead === 0 ? 'next' : 'behind',
    says: `${what}: ${those}; ${workMeanwhile(running, area.atOnce, works)}`,
    ahead,
    running,
    atOnce: area.atOnce,
  }
}
