import {
  promisedBytes,
  type RoomTerms,
  roomIn,
  roomLeft,
  type Volume,
  workBytesOf,
} from '../../../domain/ingest/room.ts'
import { isWorkState, type WorkState } from '../../../domain/ingest/transitions.ts'
import { claims, jobs } from '../../../domain/ingest/views.ts'
import type { WorkArea } from '../../../domain/ingest/work-area.ts'
import { bytes, plural } from '../../../domain/kernel/amounts.ts'
import { countRows, is, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { Asking } from '../../runtime/question.ts'
import type { BatchRow, JobRow } from '../tables.ts'
import { returnedBy } from './queue.ts'
import { batchReader, blockersOf, holdOfAll, holdOfCollection, isBlocked } from './reading.ts'
import type { WhyReason } from './why-answer.ts'

export type WhyAsking = Pick<Asking, 'now' | 'asOf'> & { readonly of: Pick<Asking['of'], 'ingest'> }

/** Reasons why a job does not move, or what it waits for: the reason that must be resolved first comes first. */
export const whyReasons = async (
  views: Views,
  row: JobRow,
  { now, of: { ingest: area }, asOf }: WhyAsking,
): Promise<WhyReason[]> => {
  const batch = batchReader(views)(row.batch)
  if (isWorkState(row.state)) {
    const isAsked = row.state === 'provisioning' && asOf === undefined
    const volume = isAsked ? await area.workVolume() : undefined
    const isElsewhere = asOf === undefined && row.site !== '' && !(await area.sites()).includes(row.site)
    return waitingReasons(views, row, row.state, { now, area, volume, isElsewhere })
  }
  return [...restingReasons(views, row), ...batchReasons(views, row, batch)]
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
          says: `${failure}; \`fonds do ingest.resume-job job=${job}\` lets it go on in ${step}`,
          ...facts,
        },
      ]
}

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
  }: Pick<Asking, 'now'> & {
    readonly area: WorkArea
    readonly volume: Volume | undefined
    readonly isElsewhere: boolean
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
    ...putOff(row, now),
    ...(state === 'provisioning' ? [room(views, row, area, volume)] : []),
    ...(isPutOff(row, now) ? [] : [placeInQueue(views, row, state, now)]),
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

const room = (views: Views, row: JobRow, terms: WorkArea, volume: Volume | undefined): WhyReason => {
  const needed = workBytesOf(row)
  const others = countRows(views, jobs, is('state', 'downloading'))
  const promised = promisedBytes(views, terms)
  const given =
    others === 0
      ? 'nothing is promised to others'
      : `${bytes(promised)} are promised to ${plural(others, 'job')} before it`
  const sentence = `it waits for room on the work volume: it needs ${needOf(needed, terms)}, ${given}`
  const facts = { kind: 'waits-for-room', bytes: needed, promisedBytes: promised } as const
  if (!volume) return { ...facts, says: sentence }
  const leftBytes = Math.floor(roomLeft(volume, terms, promised))
  const most = roomIn(volume, terms)
  const has =
    (needed ?? terms.unknownBytes) > most
      ? `and of the ${bytes(volume.total)} there no more than ${bytes(most)} (${terms.thresholdPercent} %) may ever be used: it can never fit`
      : `and ${leftBytes > 0 ? bytes(leftBytes) : 'nothing'} is left`
  const fits = (needed ?? terms.unknownBytes) <= leftBytes
  return { ...facts, leftBytes, says: `${sentence}, ${has}${fits ? givenOutBy(views) : ''}` }
}

/** There is room: names the one process that gives it out. */
const givenOutBy = (views: Views): string => {
  const [giver] = rows(views, claims, { where: [is('kind', 'volume')], limit: 1 })
  return giver ? `; ${giver.holder} gives it out, where it is heard of again before ${giver.deadline}` : ''
}

const needOf = (needed: number | null, { unknownBytes }: RoomTerms): string =>
  needed === null ? `an unknown size, which counts as ${bytes(unknownBytes)}` : bytes(needed)

/** The job waits for another inventory: no worker of ours does anything with it. */
const inventory = ({ lastModified, ark, version }: JobRow): WhyReason => ({
  kind: 'waits-for-inventory',
  says: `it waits since ${lastModified} for the word of another inventory on fonds.ingest.recorded: version ${version} of ${ark} is stored`,
  since: lastModified,
})

const placeInQueue = (views: Views, row: JobRow, state: WorkState, now: string): WhyReason => {
  const before = { column: 'order', is: '<', value: row.order } as const
  const queues = [[is('state', state), is('available', '')] as const, returnedBy(state, now)]
  const ahead = queues.reduce((sum, where) => sum + countRows(views, jobs, ...where, before), 0)
  const [first] = queues
    .flatMap((where) =>
      rows(views, jobs, { where: [...where, before], orderBy: [{ column: 'order' }], limit: 1 }),
    )
    .toSorted((one, other) => (one.order < other.order ? -1 : 1))
  if (!first) return { kind: 'next', says: `it is the next that a worker claims for ${state}`, ahead: 0 }
  return {
    kind: 'behind',
    says: `${plural(ahead, 'job')} ${ahead === 1 ? 'goes' : 'go'} before it in ${state}, job ${first.job} of batch ${first.batchNumber} first`,
    ahead,
    first: first.job,
  }
}
