import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { v4 as uuid } from 'uuid'
import { BatchId } from '../../../domain/ingest/ids.ts'
import { type FilledIn, fillIn } from '../../../domain/ingest/submission-form.ts'
import { annotate } from '../../../domain/kernel/annotation.ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../../../domain/kernel/codecs.ts'
import { addMillis, HOUR, SECOND } from '../../../domain/kernel/time.ts'
import { completeDrop, offerFiles } from '../../../workers/ingest/submit/direct-drop.ts'
import { newBatch } from '../../../workers/ingest/submit/submit.ts'
import { intake } from '../../intake.ts'
import type { WorkflowContext } from '../../workflow-context.ts'
import type { IngestConfig } from '../settings.ts'
import { directArea, maxFiles } from './open-drop.ts'
import { another, anotherUpload, submitDrop, Taken, unlessUsable, wrongField } from './take-submission.ts'

/** Each request has to begin within it. */
const offeredMillis = 6 * HOUR

const Sha256 = annotate(
  t.refinement(t.string, (text) => /^[0-9a-fA-F]{64}$/.test(text), 'SHA-256 of 64 hex digits'),
  { pattern: '^[0-9a-fA-F]{64}$' },
)

const announced = { path: Text, size: NonNegativeInteger, sha256: Sha256 }
const files = <File extends t.Mixed>(file: File) =>
  annotate(
    t.refinement(
      t.readonlyArray(file),
      (list) => list.length > 0 && list.length <= maxFiles,
      `list of 1 to ${maxFiles} files`,
    ),
    { minItems: 1, maxItems: maxFiles },
  )

const Offer = t.intersection([
  t.type({
    path: Text,
    /** A PUT of `size` bytes of the file, from the position `from` on, to `url`, with `headers`. */
    requests: t.readonlyArray(
      t.type({
        number: PositiveInteger,
        from: NonNegativeInteger,
        size: NonNegativeInteger,
        url: Text,
        headers: t.record(t.string, t.string),
      }),
    ),
  }),
  /** The file comes in parts: it is sent back, with the ETag of each answer. */
  t.partial({ uploadId: Text }),
])

const example = {
  path: 'letters/1912.tif',
  size: 8,
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
}

const notOffered = {
  'not-offered': {
    status: 409,
    description: 'Nothing can be uploaded straight to the storage here: send the files in a form.',
  },
} as const

const refused = {
  code: 'not-offered',
  message:
    'uploads go straight to the storage only where that is in a bucket and FONDS_INGEST_UPLOAD_ENDPOINT is set; send the files to ingest/submissions',
} as const

const diskRefuses = { status: 507, description: 'The disk takes nothing more.' } as const

/** Files that clients upload straight to the bucket of the storage. */
export const uploadsIntake = intake({
  path: 'ingest/uploads',
  operationId: 'offerUpload',
  summary: 'Offers addresses at which files are uploaded straight to the bucket of the storage.',
  description:
    'Each file is announced with its size and SHA-256. Its bytes are PUT to the addresses of the answer, which are good for six ' +
    'hours; the bucket refuses other sizes, and for a file that comes in one request other bytes. Then `ingest/uploads/complete` ' +
    'submits them. What is never submitted is removed after a week.',
  repeats: 'Names the submission that the files are for; each call offers an upload of its own.',
  given: t.type({ files: files(t.type(announced)) }),
  example: { files: [example] },
  status: 201,
  taken: t.type({
    batch: BatchId,
    upload: Text,
    /** Each request has to begin before. */
    expires: Time,
    files: t.readonlyArray(Offer),
  }),
  returns: 'The addresses, and the names under which the files are submitted.',
  refusals: {
    'wrong-field': { status: 400, description: 'A name cannot be stored, or two are the same.' },
    'too-many-bytes': { status: 413, description: 'The files are too large, or too many.' },
    'disk-refuses': diskRefuses,
    ...notOffered,
  },
  take: async (context: WorkflowContext<IngestConfig>, given, key) => {
    const area = await directArea(context)
    if (!area) return left(refused)
    const of = { batch: newBatch(key), upload: uuid() }
    const offered = await unlessUsable(async () =>
      right(await offerFiles(area.area, of, given.files, area.limits, offeredMillis / SECOND)),
    )
    if (isLeft(offered)) return offered
    return right({ ...of, expires: addMillis(context.clock.now(), offeredMillis), files: offered.right })
  },
})

const Fields = annotate(t.record(t.string, t.union([t.string, t.readonlyArray(t.string)])), {
  description:
    'The fields of a submission, as the form of ingest/submissions has them; without `url` and `filename`.',
})

/** Submits files that clients have uploaded to the bucket. */
export const completeIntake = intake({
  path: 'ingest/uploads/complete',
  operationId: 'submitUpload',
  summary: 'Submits files that were uploaded straight to the bucket of the storage.',
  description:
    'What is there is compared with what was announced: at once the sizes, and the digests that the bucket has of files. No file ' +
    'is read for it: the job that takes a file in compares its digest, and fails where it is another one. `status` says how far it is.',
  repeats: 'Has no effect: `batch` names the submission, and sent again it is the same one.',
  given: t.type({
    batch: BatchId,
    upload: Text,
    files: files(
      t.intersection([t.type(announced), t.partial({ uploadId: Text, etags: t.readonlyArray(Text) })]),
    ),
    fields: Fields,
  }),
  example: {
    batch: '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21',
    upload: '0f6f0d5e-5b1f-4c62-9a55-5d6c1c0b6f10',
    files: [{ ...example, uploadId: '2~Vx', etags: ['9b2cf535f27731c974343645a3985328'] }],
    fields: { profile: 'default', submitter: 'depositor@example.org', title: 'Letters' },
  },
  taken: Taken,
  returns: 'The batch, by its public id.',
  refusals: {
    'wrong-field': {
      status: 400,
      description:
        'A field is missing or not what it must be, or a file is not there as announced: `path` names it.',
    },
    'unknown-profile': { status: 400, description: 'There is no such profile.' },
    'another-submission': { status: 409, description: 'The batch has other files, or other fields.' },
    'too-many-bytes': { status: 413, description: 'The files are too large, or too many.' },
    'disk-refuses': diskRefuses,
    ...notOffered,
  },
  take: async (
    context: WorkflowContext<IngestConfig>,
    { batch, upload, files: given, fields },
    _key,
    actor,
  ) => {
    const area = await directArea(context)
    if (!area) return left(refused)
    if (!/^[0-9a-f-]{36}$/.test(upload))
      return left({
        code: 'wrong-field',
        message: 'upload: is none that was offered',
        path: 'upload',
      } as const)
    let filled: FilledIn = {}
    for (const [name, texts] of Object.entries(fields))
      for (const text of [texts].flat()) {
        const next = fillIn(filled, name, text)
        if (isLeft(next)) return left(wrongField(next.left))
        filled = next.right
      }
    return unlessUsable(async () => {
      await using drop = await completeDrop(area.area, { batch, upload }, given, area.limits)
      const submitted = await submitDrop(context, batch, filled, drop, actor)
      return isLeft(submitted) && submitted.left === another ? left(anotherUpload) : submitted
    })
  },
})
