import * as E from 'fp-ts/lib/Either.js'
import { normaliseArk } from '../../../domain/ingest/ark.ts'
import type { FileFormat } from '../../../domain/ingest/payload.ts'
import { files, localIds, objects, versions } from '../../../domain/ingest/views.ts'
import { bytes, plural } from '../../../domain/kernel/amounts.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { is, isSet, row, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { limit, whole } from '../../runtime/field.ts'
import { type QuestionRejection, question } from '../../runtime/question.ts'
import { columns } from '../../runtime/shown.ts'
import { ingest } from '../projection.ts'
import type { ObjectRow } from '../tables.ts'
import { jobsCalled } from './jobs-called.ts'
import { size, sizeColumn, timeColumn } from './list-columns.ts'
import { ObjectAnswer } from './object-answers.ts'
import { objectLine } from './objects.ts'

type Code = 'no-such-object' | 'several-objects'

export const objectQuestion = question({
  name: 'object',
  operationId: 'ingestObject',
  summary: 'One object, by its ARK or by a local id: its versions, and the files of one of them.',
  projection: ingest,
  history: 'views',
  input: {
    id: {
      description: 'Its ARK, or a local id.',
      codec: Text,
      required: true,
      example: 'ark:/99999/fk4abc',
      argument: 'id',
    },
    owner: { description: 'Whose local id it is, where several have the same.', codec: Text, value: 'name' },
    version: { description: 'Whose files are listed: the latest unless said.', ...whole(1, 1e9) },
    limit: { ...limit, description: 'Most files; 1000 unless said.' },
  },
  answer: ObjectAnswer,
  returns: 'The object.',
  schemaName: 'IngestObject',
  rejections: {
    'no-such-object': { status: 404, description: 'There is no such object.', dated: 'command-line' },
    'several-objects': { status: 409, description: 'Several owners have this local id.' },
  },
  ask: (views, { id, owner, version, limit: most }) => {
    const found = objectNamed(views, id, owner)
    if ('code' in found) return E.left(found)
    if (version !== undefined && (version > found.version || version < 1))
      return E.left({
        code: 'no-such-object',
        message: `${found.object} has no version ${version}; the latest is ${found.version}`,
        path: 'version',
      })
    return E.right(objectAnswer(views, found, version ?? found.version, most))
  },
  show: (answer) => [
    ...sentences(answer),
    ...(answer.versions.length > 0
      ? [
          {
            rows: answer.versions,
            columns: [
              ...columns('version', 'mode', 'files'),
              sizeColumn,
              ...columns('job'),
              { key: 'embargoUntil', title: 'embargo until' },
              timeColumn('storedAt', 'stored'),
            ],
          },
          `files of version ${answer.listedVersion}:`,
          {
            rows: answer.listedFiles,
            columns: [
              { key: 'path', leaveOut: 'middle' as const },
              { key: 'size', show: size },
              { key: 'mimeType', title: 'type' },
              { key: 'format', show: formatId },
              { key: 'sha256', title: 'SHA-256' },
            ],
          },
        ]
      : []),
  ],
  examples: [
    ['object ark:/99999/fk4abc', 'its versions, and the files of the latest'],
    ['object letters-1912-03 --owner museum', 'by what its owner calls it'],
    ['object ark:/99999/fk4abc --version 1', 'the files of the first version'],
  ],
})

/** The object, by its ARK in any spelling, else by the local id that means it. */
const objectNamed = (
  views: Views,
  id: string,
  owner: string | undefined,
): ObjectRow | QuestionRejection<Code> => {
  const ark = normaliseArk(id)
  const byArk = ark === undefined ? undefined : row(views, objects, is('object', ark))
  if (byArk) return byArk
  const where = [is('localId', id), isSet('ark'), ...(owner === undefined ? [] : [is('owner', owner)])]
  const named = rows(views, localIds, { where, limit: maxOwners })
  if (named.length > 1)
    return {
      code: 'several-objects',
      message: `${named.map((each) => each.owner).join(', ')} have a local id ${id}; say whose`,
      path: 'owner',
      hint: '`--owner <name>` says whose',
    }
  const meant = named[0]?.ark
  const byLocalId = meant == null ? undefined : row(views, objects, is('object', meant))
  return byLocalId ?? noObject(views, id)
}

/** A local id may be that of a job which has not come so far as to make an object. */
const noObject = (views: Views, id: string): QuestionRejection<Code> => {
  const [called] = jobsCalled(views, (localId) => localId === id).jobs
  return {
    code: 'no-such-object',
    message: called
      ? `there is no object ${id} yet: job ${called.job} of batch ${called.batchNumber}, which hands it in, is ${called.state}`
      : `there is no object ${id}`,
    path: 'id',
    ids: [id],
    hint: called
      ? `\`fonds ingest why ${called.job}\` says why, and what to do`
      : '`fonds ingest objects` lists all',
  }
}

const maxOwners = 10

const objectAnswer = (views: Views, found: ObjectRow, listed: number, most: number): ObjectAnswer => ({
  ...objectLine(found),
  description: found.description,
  inventoryDigest: found.inventoryDigest,
  versions: rows(views, versions, {
    where: [is('object', found.object)],
    orderBy: [{ column: 'version' }],
  }).map(({ object: _, ...version }) => version),
  listedVersion: listed,
  listedFiles: rows(views, files, {
    where: [is('object', found.object), is('version', listed)],
    orderBy: [{ column: 'path' }],
    limit: most,
  }).map(({ object: _, version: __, ...file }) => file),
})

const formatId = (value: unknown): string => {
  const { id, name } = (value ?? {}) as FileFormat
  return id ?? name ?? ''
}

const sentences = ({ object, title, version, job, localIds: ids, ...answer }: ObjectAnswer) => [
  `${object}${title === null ? '' : `: ${title}`}`,
  ...(ids.length > 0 ? [`local ids of owner ${answer.owner}: ${ids.join('; ')}`] : []),
  version === 0
    ? `reserved for job ${job}; nothing is stored yet`
    : `${plural(version, 'version')}; the latest has ${plural(answer.files, 'file')}, ${bytes(answer.bytes)}, and was stored on ${answer.storedAt}`,
  ...(answer.embargoUntil === null
    ? []
    : [`embargo: nothing of it is to be shown until ${answer.embargoUntil} (UTC), that day included`]),
]
