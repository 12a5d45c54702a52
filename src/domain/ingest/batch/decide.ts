import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Decided, Decider } from '../../kernel/decider.ts'
import { isActive, type Lease } from '../../kernel/lease.ts'
import type { Ending } from '../../kernel/task.ts'
import { claimStep, expireClaim, type MaxDeaths, whySetAside } from '../claim.ts'
import { type ClaimUpkeep, keepClaim } from '../claim-upkeep.ts'
import { categories } from '../ids.ts'
import { collectionOf } from '../profile/profile.ts'
import { type IngestRejection, reject } from '../rejection.ts'
import type { BatchCommand, ClaimBatch, NumberBatch } from './commands.ts'
import { type BatchEvent, batchEvents } from './events.ts'
import { abandonedMail, dueMail, failMail, recordMail, setMailAside, startMail } from './mail.ts'
import { type Decision as MoveDecision, move, nameOf, notAllowed } from './moving.ts'
import { endListing, failOpening, failPayload, listObjects, noteJobs, open, submit } from './opening.ts'
import {
  deleteBatch,
  failJobs,
  holdBatch,
  releaseBatch,
  resumeBatch,
  sweepBatch,
  updateReport,
} from './operating.ts'
import { mayReport, saveReport } from './reporting.ts'
import { type Batch, type BatchOrNone, evolve } from './state.ts'

type Decision = E.Either<IngestRejection, Decided<BatchEvent, Lease>>

const decide = (command: BatchCommand, batch: BatchOrNone): Decision => {
  if (command.type === 'SubmitBatch') return submit(command, batch)
  if (!batch) return reject('unknown', 'there is no such batch; check its id')
  switch (command.type) {
    case 'NumberBatch':
      return number(command, batch)
    case 'ClaimBatch':
      return claim(command, batch)
    case 'ExtendClaim':
    case 'ReleaseClaim':
      return keep(command, batch)
    case 'ExpireClaim':
      return E.right(runOut(batch, command).events)
    case 'ListObjects':
      return listObjects(command, batch)
    case 'EndListing':
      return endListing(command, batch)
    case 'FailPayload':
      return failPayload(command, batch)
    case 'OpenBatch':
      return open(command, batch)
    case 'NoteJobs':
      return noteJobs(command, batch)
    case 'SaveReport':
      return saveReport(command, batch)
    case 'StartMail':
      return startMail(command, batch)
    case 'RecordMail':
      return recordMail(command, batch)
    case 'FailMail':
      return failMail(command, batch)
    case 'HoldBatch':
      return atRest(command.at, batch, (now) => holdBatch(command, now))
    case 'ReleaseBatch':
      return releaseBatch(command, batch)
    case 'ResumeBatch':
      return atRest(command.at, batch, (now) => resumeBatch(command, now))
    case 'DeleteBatch':
      return atRest(command.at, batch, (now) => deleteBatch(command, now))
    case 'FailJobs':
      return failJobs(command, batch)
    case 'UpdateReport':
      return atRest(command.at, batch, (now) => updateReport(command, now))
    case 'SweepBatch':
      return atRest(command.at, batch, (now) => sweepBatch(command, now))
  }
}

/** Rejects a person's move of a batch that is being worked on. An overdue claim expires first. */
const atRest = (at: string, batch: Batch, move: (batch: Batch) => MoveDecision): Decision => {
  const { lease } = batch.claims
  if (isActive(lease, at))
    return reject(
      'held',
      `${nameOf(batch)} is held by ${lease.holder} until ${lease.deadline}; try again after that`,
    )
  const { events: expired, left } = runOut(batch, { at })
  return pipe(
    move(left),
    E.map((events) => [...expired, ...events]),
  )
}

interface RunOut {
  readonly events: readonly BatchEvent[]
  readonly left: Batch
}

/**
 * Returns the batch after an expired claim. A mail whose sender was not heard of again may have been sent. A task in
 * which `maxDeaths` holders died is set aside: the batch fails, or, if the task was a mail that was never begun, only
 * the mail.
 */
const runOut = (batch: Batch, ending: Ending & MaxDeaths): RunOut => {
  const expired = expireClaim(batch.claims, ending)
  if (expired.length === 0) return { events: [], left: batch }
  const events = [...expired, ...abandonedMail(batch, ending.at)]
  const left = events.reduce<BatchOrNone>(evolve, batch) as Batch
  const because = whySetAside(batch.claims, left.claims, ending)
  const { lease } = batch.claims
  if (because === undefined || !lease) return { events, left }
  return pipe(
    setAside(left, lease, because, ending.at),
    E.match(
      () => ({ events, left }),
      (more) => ({ events: [...events, ...more], left: more.reduce<BatchOrNone>(evolve, left) as Batch }),
    ),
  )
}

const setAside = (
  batch: Batch,
  { state: task, fence }: NonNullable<Batch['claims']['lease']>,
  because: string,
  at: string,
): MoveDecision => {
  if (task === 'mail') return E.right(setMailAside(batch, { fence, error: because, at }))
  return task === 'open'
    ? failOpening(batch, { message: because, at })
    : move(batch, 'failed', 'system', { at, message: because })
}

const number = (command: NumberBatch, batch: Batch): Decision =>
  E.right(batch.number === undefined ? [{ type: 'BatchNumbered', data: { number: command.number } }] : [])

/** I2, I8, I12. No task is begun while all ingest is paused; mails are sent all the same. */
const claim = (command: ClaimBatch, batch: Batch): Decision => {
  const { task, holds, at } = command
  if (isActive(batch.claims.lease, at))
    return reject('held', `held by ${batch.claims.lease.holder} until ${batch.claims.lease.deadline}`)
  if (holds.all !== undefined && task !== 'mail')
    return reject('paused', `all ingest is paused: ${holds.all}`)
  const may = mayClaim(command, batch)
  if (E.isLeft(may)) return may
  if (task === 'open' && holds.collection !== undefined) {
    const message = `collection ${collectionOf(batch.profile)} is on hold: ${holds.collection}`
    return move(batch, 'held', 'worker', { at, message })
  }
  const { events: expired, left } = runOut(batch, command)
  // The expiry changed the batch: the next poll finds its due task.
  if (left.state !== batch.state || left.mails.length < batch.mails.length) return E.right(expired)
  return pipe(
    claimStep(left.claims, task, command, at),
    E.map(({ events, lease }) => ({ events: [...expired, ...events], result: lease })),
  )
}

const mayClaim = ({ task, at }: ClaimBatch, batch: Batch): E.Either<IngestRejection, unknown> => {
  switch (task) {
    case 'open':
      if (batch.state !== 'pending') return notAllowed(batch, 'processing', 'worker')
      return batch.number !== undefined && !batch.read
        ? E.right(undefined)
        : reject('nothing-to-do', `${nameOf(batch)} is not to be read ${batch.read ? 'any more' : 'yet'}`)
    case 'report':
      return mayReport(batch)
    case 'mail':
      return dueMail(batch, at)
        ? E.right(undefined)
        : reject('nothing-to-do', `no mail of ${nameOf(batch)} is due`)
  }
}

const keep = (command: ClaimUpkeep, batch: Batch): Decision =>
  pipe(
    keepClaim(command, batch.claims),
    E.map((events) =>
      events.length > 0 && command.type !== 'ExtendClaim'
        ? [...events, ...abandonedMail(batch, command.at)]
        : events,
    ),
  )

/** Decides about one batch. */
export const batchDecider: Decider<BatchOrNone, BatchCommand, BatchEvent, IngestRejection, Lease> = {
  category: categories.batch,
  events: batchEvents,
  initial: undefined,
  evolve,
  decide,
}
