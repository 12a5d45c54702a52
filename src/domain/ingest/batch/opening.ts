import { hasLogin, loginRefused } from '@fonds/download'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { checkFence } from '../../kernel/lease.ts'
import { isPage } from '../payload.ts'
import { type IngestRejection, reject } from '../rejection.ts'
import type {
  EndListing,
  FailPayload,
  JobNote,
  ListObjects,
  NoteJobs,
  OpenBatch,
  SubmitBatch,
} from './commands.ts'
import type { BatchEvent } from './events.ts'
import { type EndOfJob, revisionOf } from './jobs.ts'
import { isMailWanted } from './mail.ts'
import { type Decision, move, nameOf, notAllowed } from './moving.ts'
import { type Batch, type BatchOrNone, evolve } from './state.ts'

/* Decisions from the submission to the jobs, and to their end. */

/** I1: cheap; does not read the payload. */
export const submit = ({ submission, profile, at }: SubmitBatch, batch: BatchOrNone): Decision => {
  if (!profile)
    return reject('unknown', `there is no profile ${submission.profile}; set it first, or name another one`)
  if (!batch && hasLogin(submission.payload.url)) return reject('not-allowed', `payload.url: ${loginRefused}`)
  if (!batch) return E.right([{ type: 'BatchSubmitted', data: { submission, profile, at } }])
  return JSON.stringify(batch.submission) === JSON.stringify(submission)
    ? E.right([])
    : reject('exists', 'another submission has this id; give each submission a new UUID')
}

/** Each claim lists from the first object on; the listing of an earlier claim is void. */
export const listObjects = ({ fence, from, objects }: ListObjects, batch: Batch): Decision =>
  pipe(
    isReading(batch, fence),
    E.chain((): Decision => {
      const listed = listedBy(batch, fence)
      if (from + objects.length <= listed) return E.right([])
      if (from !== listed)
        return reject(
          'incomplete',
          `${listed} objects are listed under claim ${fence}; ${from} is not the next`,
        )
      return isPage(objects)
        ? E.right([{ type: 'ObjectsListed', data: { fence, from, objects: [...objects] } }])
        : reject('too-large', 'the list of objects is too large for one message; part it')
    }),
  )

/** A payload without objects fails the batch (C10): it is never "completed" without stored objects. */
export const endListing = (command: EndListing, batch: Batch): Decision => {
  const { fence, count, payloadType: type, digest, at } = command
  return pipe(
    isReading(batch, fence),
    E.chain((): Decision => {
      if (count === 0) return failed(batch, fence, 'the payload lists no object', at)
      const listed = listedBy(batch, fence)
      if (listed !== count)
        return reject('incomplete', `${listed} of ${count} objects are listed under claim ${fence}`)
      return E.right([
        { type: 'PayloadRead', data: { fence, count, type, at, ...(digest !== undefined && { digest }) } },
      ])
    }),
  )
}

/** N6. */
export const failPayload = ({ fence, message, at }: FailPayload, batch: Batch): Decision =>
  pipe(
    isReading(batch, fence),
    E.chain(() => failed(batch, fence, message, at)),
  )

const failed = (batch: Batch, fence: number, message: string, at: string): Decision =>
  failOpening(batch, { fence, message, at })

/** N6. */
export const failOpening = (
  batch: Batch,
  why: { readonly message: string; readonly at: string; readonly fence?: number },
): Decision =>
  move(batch, 'failed', 'worker', {
    ...why,
    ...(isMailWanted(batch, 'failed') && { mail: 'failed' as const }),
  })

const isReading = (batch: Batch, fence: number): E.Either<IngestRejection, unknown> =>
  pipe(
    checkFence(batch.claims.lease, fence),
    E.chain(
      (lease): E.Either<IngestRejection, unknown> =>
        lease.fence === fence && batch.claims.lease?.state === 'open' && !batch.read
          ? E.right(lease)
          : reject('not-allowed', `${nameOf(batch)} is ${batch.state} and its payload is not being read`),
    ),
  )

const listedBy = ({ listing }: Batch, fence: number): number =>
  listing?.fence === fence ? listing.objects : 0

/** I4. Jobs may have ended before all of them were created: then I7 follows at once. */
export const open = ({ firstJob, at }: OpenBatch, batch: Batch): Decision => {
  if (!batch.read) return notAllowed(batch, 'processing', 'system')
  const { count: jobs } = batch.read
  const mail = isMailWanted(batch, 'queued') ? { mail: 'queued' as const } : {}
  return pipe(
    move(batch, 'processing', 'system', { at, jobs, firstJob, ...mail }),
    E.map((events) => withReporting(batch, events, at)),
  )
}

/** Records ends and resumes of jobs. Notes older than a job's recorded revision have no effect. */
export const noteJobs = ({ notes, at }: NoteJobs, batch: Batch): Decision => {
  const { jobs, state } = batch
  if (!jobs) return reject('not-allowed', `${nameOf(batch)} is ${state} and has no jobs`)
  if (state === 'deleted') return E.right([])
  const news: { [End in EndOfJob]?: [number, number][] } = {}
  for (const { index, end, revision } of latest(notes))
    if (index < jobs.words.length && revision > revisionOf(jobs, index)) {
      news[end] ??= []
      news[end].push([index, revision])
    }
  if (Object.keys(news).length === 0) return E.right([])
  return E.right(withReporting(batch, [{ type: 'JobsNoted', data: { ...news, at } }], at))
}

/** Returns the latest note of each job. */
const latest = (notes: readonly JobNote[]): Iterable<JobNote> => {
  const last = new Map<number, JobNote>()
  for (const note of notes)
    if (note.revision > (last.get(note.index)?.revision ?? -1)) last.set(note.index, note)
  return last.values()
}

/** I7: no job is open any more. Only a batch that is processing goes on to its report, so once per opening (C16). */
const withReporting = (batch: Batch, events: readonly BatchEvent[], at: string): readonly BatchEvent[] => {
  const next = events.reduce<BatchOrNone>(evolve, batch)
  if (next?.state !== 'processing' || next.jobs?.counts.open !== 0) return events
  return [...events, { type: 'BatchMoved', data: { from: 'processing', to: 'reporting', cause: 'I7', at } }]
}
