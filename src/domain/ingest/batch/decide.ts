import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Decided, Decider } from '../../kernel/decider.ts'
import { isActive, type Lease } from '../../kernel/lease.ts'
import { claimTask, expireClaim, keepClaim, type Task } from '../../kernel/task.ts'
import { type MaxDeaths, offerStep, stepEvents, whySetAside } from '../claim.ts'
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
    case 'ExpireClaim':
      return keepClaim(batchTask, command, batch)
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
  const expired = expireClaim(batchTask, { at }, batch)
  return pipe(
    move(expired.reduce(batchTask.evolve, batch)),
    E.map((events) => [...expired, ...events]),
  )
}

/**
 * A mail whose sender was not heard of again may have been sent. A task in which `maxDeaths` holders died is set aside:
 * the batch fails, or, if the task was a mail that was never begun, only the mail.
 */
const batchTask: Task<Batch, BatchEvent, MaxDeaths> = {
  ...stepEvents,
  claims: ({ claims }) => claims,
  evolve: (batch, event) => evolve(batch, event) ?? batch,
  released: (claim, batch) => [
    ...stepEvents.released(claim),
    // A holder that gives its claim back late says nothing of the mail that the next one is sending.
    ...(claim.fence === batch.claims.lease?.fence ? abandonedMail(batch, claim.at) : []),
  ],
  expired: (claim, batch) => {
    const { at } = claim
    const { lease } = batch.claims
    const events = [...stepEvents.expired(claim, batch.claims), ...abandonedMail(batch, at)]
    const because = whySetAside(claim, batch.claims)
    if (because === undefined || !lease) return events
    const left = events.reduce(batchTask.evolve, batch)
    return [...events, ...E.getOrElse((): readonly BatchEvent[] => [])(setAside(left, lease, because, at))]
  },
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
  return claimTask(batchTask, command, batch, (left, lease) =>
    // If the expiry changed the batch, the next poll finds its due task.
    left.state !== batch.state || left.mails.length < batch.mails.length
      ? reject('nothing-to-do', `the expired claim of ${nameOf(batch)} has ended its task`)
      : offerStep(left.claims, task, command, lease),
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

/** Decides about one batch. */
export const batchDecider: Decider<BatchOrNone, BatchCommand, BatchEvent, IngestRejection, Lease> = {
  category: categories.batch,
  events: batchEvents,
  initial: undefined,
  evolve,
  decide,
}
