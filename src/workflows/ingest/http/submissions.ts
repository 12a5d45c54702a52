import { digestAlgorithm } from '@fonds/digests'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Submission } from '../../../domain/ingest/submission.ts'
import { type FilledIn, fillIn, SubmissionFields } from '../../../domain/ingest/submission-form.ts'
import { annotate } from '../../../domain/kernel/annotation.ts'
import type { Drop } from '../../../workers/ingest/submit/drop.ts'
import { newBatch, submitBatch } from '../../../workers/ingest/submit/submit.ts'
import { type FormPart, intake } from '../../intake.ts'
import type { WorkflowContext } from '../../workflow-context.ts'
import type { IngestConfig } from '../settings.ts'
import { dropFor, maxFiles } from './open-drop.ts'
import {
  type Answered,
  another,
  knownAs,
  outOfReach,
  type Refusal,
  refusalOf,
  sealedSubmission,
  sourceOf,
  submitDrop,
  Taken,
  taken,
  unknownProfile,
  unlessUsable,
  wrongField,
} from './take-submission.ts'

const Files = t.partial({
  file: annotate(t.array(t.string), {
    description: 'Files; with folders in their names they make a folder.',
    items: { type: 'string', format: 'binary' },
  }),
})

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

  take: async (context: WorkflowContext<IngestConfig>, given, key, actor): Promise<Answered> => {
    // A file that it names is beneath a folder that all nodes have.
    const { site: _, ...theirs } = given
    const submission = await sealedSubmission(context, { ...theirs, foreign: true })
    const refusal = (await refusalOf(context, submission)) ?? outOfReach(context, submission)
    if (refusal) return left(refusal)
    const batch = newBatch(key)
    switch (await knownAs(context, batch, submission)) {
      case 'another':
        return left(another)
      case 'new':
        await submitBatch(context, batch, submission, sourceOf(actor), 'sealed')
    }
    return right(taken(batch))
  },

  takeForm: async (context: WorkflowContext<IngestConfig>, parts, key, actor): Promise<Answered> => {
    const batch = newBatch(key)
    return unlessUsable(async () => {
      await using drop = await dropFor(context, batch)
      const filled = await readParts(context, parts, drop)
      return isLeft(filled) ? filled : await submitDrop(context, batch, filled.right, drop, actor)
    })
  },
})

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
