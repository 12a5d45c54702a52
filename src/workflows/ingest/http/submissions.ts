import { isDeepStrictEqual } from 'node:util'
import { digestAlgorithm } from '@fonds/digests'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { diskReason } from '../../../async/disk-reasons.ts'
import { NoRoom } from '../../../async/machine-failure.ts'
import { orThrow } from '../../../async/unavailable.ts'
import { batchDecider } from '../../../domain/ingest/batch/decide.ts'
import { BatchId, batchStream } from '../../../domain/ingest/ids.ts'
import { Submission } from '../../../domain/ingest/submission.ts'
import {
  type FieldObjection,
  type FilledIn,
  fillIn,
  SubmissionFields,
  submissionOf,
} from '../../../domain/ingest/submission-form.ts'
import { withoutUpload } from '../../../domain/ingest/uploads.ts'
import { annotate } from '../../../domain/kernel/annotation.ts'
import { isBeneathBuckets } from '../../../domain/kernel/bucket-address.ts'
import { NonNegativeInteger, Text } from '../../../domain/kernel/codecs.ts'
import { profileNamed } from '../../../processors/ingest/submissions-processor.ts'
import { isInBucket } from '../../../workers/buckets/bucket-file.ts'
import { isLocal } from '../../../workers/ingest/fetch/local-file.ts'
import { UnusableContent } from '../../../workers/ingest/files/write-file.ts'
import { namedFolders, sitesOf } from '../../../workers/ingest/ingester-context.ts'
import { type Drop, DropTooLarge } from '../../../workers/ingest/submit/drop.ts'
import { payloadOf } from '../../../workers/ingest/submit/form-payload.ts'
import { objectionTo } from '../../../workers/ingest/submit/objections.ts'
import { newBatch, submitBatch } from '../../../workers/ingest/submit/submit.ts'
import { isAddressBeneath } from '../../foreign-locations.ts'
import { type FormPart, type IntakeRefusal, intake } from '../../intake.ts'
import type { WorkflowContext } from '../../workflow-context.ts'
import type { IngestConfig } from '../settings.ts'
import { dropFor, maxFiles } from './open-drop.ts'

const source = 'fonds://http'

const Taken = t.intersection([
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
type Taken = t.TypeOf<typeof Taken>

const Files = t.partial({
  file: annotate(t.array(t.string), {
    description: 'Files; with folders in their names they make a folder.',
    items: { type: 'string', format: 'binary' },
  }),
})

type Code = 'wrong-field' | 'unknown-profile' | 'another-submission' | 'too-many-bytes' | 'disk-refuses'
type Refusal = IntakeRefusal<Code>
type Answered = Either<Refusal, Taken>

/** Submissions over HTTP (ingest I1, X1). */
export const submissionsIntake = intake({
  path: 'ingest/submissions',
  operationId: 'submit',
  summary: 'Submits a payload: a batch of objects to be taken in.',
  description:
    'As JSON: where the payload lies. As a form: its files, which are kept in the home, or beside the storage root in its bucket, until they are taken in; several ' +
    'are one object with these files, or with the type `each-file` an object each; with `each-folder` so is each folder. Send the fields before the files: ' +
    'what is wrong is then refused before they come. The batch is stored, and its payload not yet looked at, when it ' +
    'is answered; what became of it is asked for at `status`.',
  repeats: 'Names this submission: sent again with the same key, it is the same batch.',
  given: Submission,
  example: {
    profile: 'default',
    submitter: 'depositor@example.org',
    payload: { url: 'https://host.example/letters.checkm', type: 'batch-manifest' },
    mode: 'add',
    description: { who: 'Ada Example', what: 'Letters', when: '1912' },
  },
  form: {
    fields: t.intersection([SubmissionFields, Files], 'submission form'),
    maxFiles,
    maxBytes: ({ config }: WorkflowContext<IngestConfig>) => config.ingestUploadBytes,
  },
  taken: Taken,
  returns: 'The batch, by its public id.',
  refusals: {
    'wrong-field': {
      status: 400,
      description: 'A field is missing or not what it must be: `path` names it.',
    },
    'unknown-profile': { status: 400, description: 'There is no such profile.' },
    'another-submission': { status: 409, description: 'Another submission has this idempotency key.' },
    'too-many-bytes': { status: 413, description: 'The files are too large, or too many.' },
    'disk-refuses': {
      status: 507,
      description: 'The disk does not take the files: it is full, or as full as it may be.',
    },
  },

  take: async (context: WorkflowContext<IngestConfig>, given, key): Promise<Answered> => {
    // A file that it names is beneath a folder that all nodes have.
    const { site: _, ...theirs } = given
    const submission = { ...theirs, foreign: true }
    const refusal = (await refusalOf(context, submission)) ?? outOfReach(context, submission)
    if (refusal) return left(refusal)
    const batch = newBatch(key)
    switch (await knownAs(context, batch, submission)) {
      case 'another':
        return left(another)
      case 'new':
        await submitBatch(context, batch, submission, source)
    }
    return right(taken(batch))
  },

  takeForm: async (context: WorkflowContext<IngestConfig>, parts, key): Promise<Answered> => {
    const batch = newBatch(key)
    try {
      await using drop = await dropFor(context, batch)
      const filled = await readParts(context, parts, drop)
      if (isLeft(filled)) return filled
      const filledIn = await asSubmission(filled.right, drop)
      if (isLeft(filledIn)) return filledIn
      const site = drop.files.length > 0 &&
        isLocal(drop.addressOf('')) && { site: await sitesOf(context.config).home() }
      const submission: Submission = { ...filledIn.right, ...site }
      const refusal =
        (await refusalOf(context, submission)) ??
        (drop.files.length > 0 ? undefined : outOfReach(context, submission))
      if (refusal) return left(refusal)
      switch (await knownAs(context, batch, submission)) {
        case 'another':
          return left(another)
        case 'new':
          if (drop.files.length > 0 && !(await drop.keep())) return left(another)
          await submitBatch(context, batch, submission, source)
          break
        case 'same':
          if (!(await drop.isRepeat())) return left(another)
      }
      return right(taken(batch, drop))
    } catch (error) {
      if (error instanceof DropTooLarge)
        return left({ code: 'too-many-bytes', message: `file: ${error.message}`, path: 'file' })
      if (error instanceof UnusableContent)
        return left({ code: 'wrong-field', message: `file: ${error.message}`, path: 'file' })
      const reason = error instanceof NoRoom ? `${error.message}; then send it again` : diskReason(error)
      if (reason !== undefined) return left({ code: 'disk-refuses', message: reason, path: 'file' })
      throw error
    }
  },
})

const taken = (batch: string, drop?: Drop): Taken => ({
  batch,
  status: `/api/v1/ingest/batches/${batch}`,
  ...(drop &&
    drop.files.length > 0 && {
      files: drop.files.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
    }),
})

const wrongField = ({ field, message }: FieldObjection): Refusal => ({
  code: 'wrong-field',
  message,
  path: field,
})

const another: Refusal = {
  code: 'another-submission',
  message: 'another submission has this idempotency key; give each submission a key of its own',
  path: 'idempotency-key',
}

/** Returns why the submission is refused, whatever its payload holds. */
const refusalOf = async (context: WorkflowContext, submission: Submission): Promise<Refusal | undefined> => {
  const objection = objectionTo(submission)
  if (objection) {
    const { path, message } = objection
    return { code: 'wrong-field', message: `${path}: ${message}`, path }
  }
  return unknownProfile(context, submission.profile)
}

/** Refuses files of this machine, and of buckets, over HTTP, except beneath the folders of the setting. Workers check again. */
const outOfReach = (
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

const unknownProfile = async ({ states }: WorkflowContext, profile: string): Promise<Refusal | undefined> =>
  (await profileNamed(profile, states))
    ? undefined
    : {
        code: 'unknown-profile',
        message: `profile: there is no profile ${profile}; set it first on fonds.ingest.profiles, or use default`,
        path: 'profile',
      }

/** Compares the submission with that of an existing batch. */
const knownAs = async (
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

/** Checks fields and writes files as they arrive. */
const readParts = async (
  context: WorkflowContext,
  parts: AsyncIterable<FormPart>,
  drop: Drop,
): Promise<Either<Refusal, FilledIn>> => {
  let filled: FilledIn = {}
  for await (const part of parts) {
    if (part.kind === 'file') {
      const refusal = await writeFile(part, filled, drop)
      if (refusal) return left(refusal)
      continue
    }
    const next = fillIn(filled, part.name, part.value)
    if (isLeft(next)) return left(wrongField(next.left))
    const profile = next.right.profile
    const unknown =
      profile !== undefined && profile !== filled.profile ? await unknownProfile(context, profile) : undefined
    if (unknown) return left(unknown)
    filled = next.right
  }
  return right(filled)
}

const writeFile = async (
  { name, filename, bytes }: FormPart & { readonly kind: 'file' },
  { digestType }: FilledIn,
  drop: Drop,
): Promise<Refusal | undefined> => {
  if (name !== 'file')
    return wrongField({ field: name, message: `${name}: is a file; files are sent as the field file` })
  if (filename === undefined)
    return wrongField({ field: 'file', message: 'file: has no name; send it with a filename' })
  const algorithm = digestType === undefined ? undefined : digestAlgorithm(digestType)
  await drop.write(filename, bytes, algorithm === undefined ? [] : [algorithm])
  return undefined
}

const asSubmission = async (filled: FilledIn, drop: Drop): Promise<Either<Refusal, Submission>> => {
  const payload = await payloadOf(filled, drop)
  if (isLeft(payload)) return left(wrongField(payload.left))
  const submission = submissionOf(filled, payload.right)
  return isLeft(submission)
    ? left(wrongField(submission.left))
    : right({ ...submission.right, foreign: true })
}
