import type { Volume } from '../../../domain/ingest/room.ts'
import { isWorkState, type WorkState } from '../../../domain/ingest/transitions.ts'
import type { WorkArea } from '../../../domain/ingest/work-area.ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { Asking } from '../../runtime/question.ts'
import type { BatchRow, JobRow } from '../tables.ts'
import { hasWorker } from './has-worker.ts'
import { batchReader, blockersOf, holdOfAll, holdOfCollection, isBlocked } from './reading.ts'
import type { WhyReason } from './why-answer.ts'
import { tooLargeToStore, waitsForRoom } from './why-room.ts'
import { waitsItsTurn } from './why-turn.ts'

export type WhyAsking = Pick<Asking, 'now' | 'asOf'> & {
  readonly of: Pick<Asking['of'], 'ingest'>
  /** Counts jobs before it no further than this; absent: counts all. */
  readonly maxAhead?: number
  /** To see whether a process runs that works on jobs; absent: that is left out. */
  readonly eventStore?: Asking['eventStore']
}

/** Reasons why a job does not move, or what it waits for: the reason that must be resolved first comes first. */
export const whyReasons = async (
  views: Views,
  row: JobRow,
  { now, of: { ingest: area }, asOf, maxAhead, eventStore }: WhyAsking,
): Promise<WhyReason[]> => {
  const batch = batchReader(views)(row.batch)
  if (isWorkState(row.state)) {
    const volume = asOf === undefined ? await volumeFor(row.state, area) : undefined
    const isElsewhere = asOf === undefined && row.site !== '' && !(await area.sites()).includes(row.site)
    const works = asOf === undefined && eventStore ? await hasWorker(eventStore, now) : undefined
    return waitingReasons(views, row, row.state, { now, area, volume, isElsewhere, maxAhead, works })
  }
  return [...restingReasons(views, row), ...batchReasons(views, row, batch)]
}

/** The volume that a job of the state needs room on. */
const volumeFor = async (state: WorkState, area: WorkArea): Promise<Volume | undefined> => {
  if (state === 'provisioning') return area.workVolume()
  return state === 'storing' ? area.storageVolume() : undefined
}

/** Reasons of a job that nobody can claim in its state. */
const restingReasons = (views: Views, row: JobRow): readonly WhyReason[] => {
  const { job, state, message, actor, lastModified, failedIn, permanent, endedAt, retryCount } = row
  if (state === 'completed')
    return [{ kind: 'completed', says: `job ${job} is completed`, ...since(endedAt) }]
  if (state === 'deleted')
    return [
      {
        kind: 'deleted',
        says: `${actor} deleted it: ${message ?? 'its batch was deleted'}`,
        ...since(endedAt),
      },
    ]
  if (state === 'held')
    return [
      {
        kind: 'held',
        says: `it is held since ${lastModified}: ${message ?? ''}; \`fonds do ingest.release-job job=${job}\` lets it go on`,
        who: actor,
        since: lastModified,
        ...(message !== null && { because: message }),
      },
      ...collectionHold(views, row),
    ]
  const step = failedIn ?? 'pending'
  const failure = `it failed in ${step}${retryCount > 0 ? ` after ${plural(retryCount, 'resume')}` : ''}: ${message ?? ''}`
  const facts = { who: actor, since: lastModified, step, ...(message !== null && { because: message }) }
  return permanent === 1
    ? [{ kind: 'failed-for-good', says: `${failure}; it cannot go on: submit it again`, ...facts }]
    : [
        {
          kind: 'failed',
          says: isOtherThanAnnounced(message)
            ? `${failure}; the job keeps what was announced: once the file itself is put right, \`fonds do ingest.resume-job job=${job}\` lets it go on in ${step}; where the manifest was wrong, hand the mended one in as a new submission`
            : `${failure}; \`fonds do ingest.resume-job job=${job}\` lets it go on in ${step}`,
          ...facts,
        },
      ]
}

/** X12: the file that came has another size or digest than the depositor announced. */
const isOtherThanAnnounced = (message: string | null): boolean =>
  /; \S+ (was|were) announced/.test(message ?? '')

const since = (at: string | null) => (at === null ? {} : { since: at })

const collectionHold = (views: Views, { collection }: JobRow): readonly WhyReason[] => {
  const hold = holdOfCollection(views, collection)
  if (!hold) return []
  const { actor: who, reason: because, since: at } = hold
  return [
    {
      kind: 'collection-on-hold',
      says: `${who} put collection ${collection} on hold on ${at}: ${because}; what is pending is held until \`fonds do ingest.release-collection collection=${collection}\``,
      who,
      because,
      since: at,
    },
  ]
}

/** Effect of a resting job on its batch. */
const batchReasons = (views: Views, row: JobRow, batch: BatchRow | undefined): readonly WhyReason[] => {
  if (!batch || !isBlocked(batch)) return []
  const number = batch.number ?? batch.batch
  if (row.state === 'held')
    return [
      {
        kind: 'blocks-report',
        says: `the report of batch ${number} waits for ${batch.held === 1 ? 'it alone' : `it and ${plural(batch.held - 1, 'other held job')}`}`,
      },
    ]
  const blockers = blockersOf(views, batch)
  return [
    {
      kind: 'batch-blocked',
      says: `batch ${number} is not reported: it waits for ${plural(batch.held, 'held job')}, ${blockers.join(', ')}${batch.held > blockers.length ? ' …' : ''}`,
      jobs: [...blockers],
    },
  ]
}

/** Reasons of a job that a worker could claim. */
const waitingReasons = (
  views: Views,
  row: JobRow,
  state: WorkState,
  {
    now,
    area,
    volume,
    isElsewhere,
    maxAhead,
    works,
  }: Pick<Asking, 'now'> & {
    readonly area: WorkArea
    readonly volume: Volume | undefined
    readonly isElsewhere: boolean
    readonly maxAhead: number | undefined
    readonly works: boolean | undefined
  },
): WhyReason[] => {
  const { holder, heldUntil } = row
  if (holder !== null && heldUntil !== null && heldUntil > now)
    return [
      {
        kind: 'claimed',
        says: `${holder} works on it (${state}) until ${heldUntil} at the latest`,
        who: holder,
        until: heldUntil,
      },
    ]
  if (state === 'recording' && area.recordsElsewhere) return [inventory(row)]
  return [
    ...paused(views),
    ...(state === 'pending' ? collectionHold(views, row) : []),
    ...lateClaim(row),
    ...(isElsewhere ? [ofSite(row)] : []),
    ...tooLargeToStore(row, volume),
    ...putOff(row, now),
    ...(state === 'provisioning' ? [waitsForRoom(views, row, area, volume)] : []),
    ...(isPutOff(row, now)
      ? []
      : [
          waitsItsTurn(views, row, state, {
            ...{ now, atOnce: area.atOnce, hasWorker: works },
            ...(maxAhead && { maxAhead }),
          }),
        ]),
  ]
}

/** Its files are at a site that this process does not have: it cannot know whether another process runs there. */
const ofSite = ({ site, job, batchNumber }: JobRow): WhyReason => ({
  kind: 'waits-for-site',
  says:
    `its files are at ${site} alone: a node that has this home or work folder goes on with it; where that is gone for good, ` +
    `\`fonds do ingest.force-fail job=${job}\` gives it up, and \`batch=${batchNumber}\` all open jobs of its batch`,
})

const paused = (views: Views): readonly WhyReason[] => {
  const hold = holdOfAll(views)
  if (!hold) return []
  const { actor: who, reason: because, since: at } = hold
  const sentence = `${who} paused all ingest on ${at}: ${because}; \`fonds do ingest.unpause\` lets it go on`
  return [{ kind: 'paused', says: sentence, who, because, since: at }]
}

const lateClaim = ({ holder, heldUntil }: JobRow): readonly WhyReason[] =>
  holder === null || heldUntil === null
    ? []
    : [
        {
          kind: 'claim-ran-out',
          says: `${holder} held it until ${heldUntil} and was not heard of again: it may be claimed anew`,
          who: holder,
          until: heldUntil,
        },
      ]

const isPutOff = ({ putOffFor, available }: JobRow, now: string): boolean =>
  putOffFor !== null && available !== null && available > now

/**
 * Shown after its time, too: a worker whose machine could not do it checks whether it can now, and claims nothing
 * before.
 */
const putOff = ({ putOffFor, available }: JobRow, now: string): readonly WhyReason[] => {
  if (putOffFor === null || available === null) return []
  const sentence =
    available > now
      ? `it is put off until ${available}: ${putOffFor}`
      : `it was put off until ${available}, and goes on once this is over: ${putOffFor}`
  return [{ kind: 'put-off', says: sentence, because: putOffFor, until: available }]
}

/** The job waits for another inventory: no worker of ours does anything with it. */
const inventory = ({ lastModified, ark, version }: JobRow): WhyReason => ({
  kind: 'waits-for-inventory',
  says: `it waits since ${lastModified} for the word of another inventory on fonds.ingest.recorded: version ${version} of ${ark} is stored`,
  since: lastModified,
})
