import { isDeepStrictEqual } from 'node:util'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { diskReason } from '../../../async/disk-reasons.ts'
import { NoRoom } from '../../../async/machine-failure.ts'
import { orThrow } from '../../../async/unavailable.ts'
import { batchDecider } from '../../../domain/ingest/batch/decide.ts'
import { BatchId, batchStream } from '../../../domain/ingest/ids.ts'
import { submissionsTopic } from '../../../domain/ingest/messages.ts'
import type { Submission } from '../../../domain/ingest/submission.ts'
import { type FieldObjection, type FilledIn, submissionOf } from '../../../domain/ingest/submission-form.ts'
import { withoutUpload } from '../../../domain/ingest/uploads.ts'
import { isBeneathBuckets } from '../../../domain/kernel/bucket-address.ts'
import { NonNegativeInteger, Text } from '../../../domain/kernel/codecs.ts'
import { profileNamed } from '../../../processors/ingest/submissions-processor.ts'
import { sealedData } from '../../../processors/runtime/sealed-messages.ts'
import { isInBucket } from '../../../workers/buckets/bucket-file.ts'
import { isLocal } from '../../../workers/ingest/fetch/local-file.ts'
import { UnusableContent } from '../../../workers/ingest/files/write-file.ts'
import { namedFolders, sitesOf } from '../../../workers/ingest/ingester-context.ts'
import { type Drop, DropTooLarge } from '../../../workers/ingest/submit/drop.ts'
import { payloadOf } from '../../../workers/ingest/submit/form-payload.ts'
import { objectionTo } from '../../../workers/ingest/submit/objections.ts'
import { submitBatch } from '../../../workers/ingest/submit/submit.ts'
import { isAddressBeneath } from '../../foreign-locations.ts'
import type { IntakeRefusal } from '../../intake.ts'
import type { WorkflowContext } from '../../workflow-context.ts'
import type { IngestConfig } from '../settings.ts'

/* Shared by all ways of submitting over HTTP, from their fields and files on. */

/** Source of a submission: who signed in, who is then the actor of what follows. */
export const sourceOf = (actor: string | undefined): string => actor ?? 'fonds://http'

export const Taken = t.intersection([
  t.type({
    batch: BatchId,
    /** Address of its status. */
    status: Text,
  }),
  t.partial({
    /** The received files, to be compared with those that were sent. */
    files: t.array(t.type({ path: Text, size: NonNegativeInteger, sha256: Text })),
  }),
])
export type Taken = t.TypeOf<typeof Taken>

type Code = 'wrong-field' | 'unknown-profile' | 'another-submission' | 'too-many-bytes' | 'disk-refuses'
export type Refusal = IntakeRefusal<Code>
export type Answered = Either<Refusal, Taken>

/** Submits the files of a drop with the fields of a form. Throws `UnavailableError`. */
export const submitDrop = async (
  context: WorkflowContext<IngestConfig>,
  batch: string,
  filled: FilledIn,
  drop: Drop,
  actor: string | undefined,
): Promise<Answered> => {
  const filledIn = await asSubmission(filled, drop)
  if (isLeft(filledIn)) return filledIn
  const site = drop.files.length > 0 &&
    isLocal(drop.addressOf('')) && { site: await sitesOf(context.config).home() }
  const submission = await sealedSubmission(context, { ...filledIn.right, ...site })
  const refusal =
    (await refusalOf(context, submission)) ??
    (drop.files.length > 0 ? undefined : outOfReach(context, submission))
  if (refusal) return left(refusal)
  switch (await knownAs(context, batch, submission)) {
    case 'another':
      return left(another)
    case 'new':
      if (drop.files.length > 0 && !(await drop.keep())) return left(another)
      await submitBatch(context, batch, submission, sourceOf(actor), 'sealed')
      break
    case 'same':
      if (!(await drop.isRepeat())) return left(another)
  }
  return right(taken(batch, drop))
}

type Unusable = IntakeRefusal<'too-many-bytes' | 'wrong-field' | 'disk-refuses'>

/** Returns the refusal of what `work` throws of the files that came, or are named. */
export const unlessUsable = async <A, Refused>(
  work: () => Promise<Either<Refused, A>>,
): Promise<Either<Refused | Unusable, A>> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DropTooLarge)
      return left({ code: 'too-many-bytes', message: `file: ${error.message}`, path: 'file' })
    if (error instanceof UnusableContent)
      return left({ code: 'wrong-field', message: `file: ${error.message}`, path: 'file' })
    const reason = error instanceof NoRoom ? `${error.message}; then send it again` : diskReason(error)
    if (reason !== undefined) return left({ code: 'disk-refuses', message: reason, path: 'file' })
    throw error
  }
}

export const taken = (batch: string, drop?: Drop): Taken => ({
  batch,
  status: `/api/v1/ingest/batches/${batch}`,
  ...(drop &&
    drop.files.length > 0 && {
      files: drop.files.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
    }),
})

export const wrongField = ({ field, message }: FieldObjection): Refusal => ({
  code: 'wrong-field',
  message,
  path: field,
})

export const another: Refusal = {
  code: 'another-submission',
  message: 'another submission has this idempotency key; give each submission a key of its own',
  path: 'idempotency-key',
}

/** An upload has its batch in the request, and no key. */
export const anotherUpload: Refusal = {
  code: 'another-submission',
  message: 'the batch was submitted with other files or other fields; begin an upload of its own for these',
  path: 'batch',
}

/** Returns why the submission is refused, whatever its payload holds. */
export const refusalOf = async (
  context: WorkflowContext,
  submission: Submission,
): Promise<Refusal | undefined> => {
  const objection = objectionTo(submission)
  if (objection) {
    const { path, message } = objection
    return { code: 'wrong-field', message: `${path}: ${message}`, path }
  }
  return unknownProfile(context, submission.profile)
}

/** Refuses files of this machine, and of buckets, over HTTP, except beneath the folders of the setting. Workers check again. */
export const outOfReach = (
  { config }: WorkflowContext<IngestConfig>,
  { payload }: Submission,
): Refusal | undefined => {
  const path = 'payload.url'
  if (isInBucket(payload.url) && !isBeneathBuckets(payload.url, namedFolders(config))) {
    const message = `${path}: a bucket is not read for a submission over HTTP, unless FONDS_INGEST_FOLDERS names it; send the file itself`
    return { code: 'wrong-field', message, path }
  }
  if (!isLocal(payload.url)) return undefined
  if (isAddressBeneath(payload.url, namedFolders(config))) return undefined
  const message = `${path}: a file of this machine is not taken over HTTP, unless FONDS_INGEST_FOLDERS names its folder; send the file itself`
  return { code: 'wrong-field', message, path }
}

export const unknownProfile = async (
  { states }: WorkflowContext,
  profile: string,
): Promise<Refusal | undefined> =>
  (await profileNamed(profile, states))
    ? undefined
    : {
        code: 'unknown-profile',
        message: `profile: there is no profile ${profile}; set it first on fonds.ingest.profiles, or use default`,
        path: 'profile',
      }

/** The submission as it is stored, to be compared with what is. Throws `UnavailableError`. */
export const sealedSubmission = (context: WorkflowContext, submission: Submission): Promise<Submission> =>
  sealedData(context, submissionsTopic, 'batch.submitted', submission)

/** Compares the submission with that of an existing batch. */
export const knownAs = async (
  { states }: WorkflowContext,
  batch: string,
  submission: Submission,
): Promise<'new' | 'same' | 'another'> => {
  const { state } = await orThrow(() => states.load(batchDecider, batchStream(batch)))
  if (!state) return 'new'
  // The site may differ: a repeat may reach another node. Its files are uploaded anew.
  const [known, asked] = [state.submission, submission].map(({ site: _, payload, ...rest }) => ({
    ...rest,
    payload: { ...payload, url: withoutUpload(payload.url, batch) },
  }))
  return isDeepStrictEqual(known, asked) ? 'same' : 'another'
}

const asSubmission = async (filled: FilledIn, drop: Drop): Promise<Either<Refusal, Submission>> => {
  const payload = await payloadOf(filled, drop)
  if (isLeft(payload)) return left(wrongField(payload.left))
  const submission = submissionOf(filled, payload.right)
  return isLeft(submission)
    ? left(wrongField(submission.left))
    : right({ ...submission.right, foreign: true })
}
