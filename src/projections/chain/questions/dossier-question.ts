import * as E from 'fp-ts/lib/Either.js'
import { versions } from '../../../domain/chain/views.ts'
import { bytes, plural } from '../../../domain/kernel/amounts.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { countRows, is } from '../../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { limit } from '../../runtime/field.ts'
import { question } from '../../runtime/question.ts'
import { type Block, type Column, toTheSecond } from '../../runtime/shown.ts'
import { chain } from '../projection.ts'
import { type Dossier, DossierAnswer } from './answers.ts'
import { lineColumns, offIn, stateColumn } from './columns.ts'
import { dossierOf, objectsOf } from './reading.ts'

export const dossierQuestion = question({
  name: 'dossier',
  operationId: 'chainDossier',
  summary: 'How far an object has come through the workflows, and what of it is not well.',
  description:
    'How far an object has come through the workflows, and what of it is not well: by its ARK, a local id, a file of it as fixity or indexing knows it, its job or its batch.',
  projection: chain,
  history: 'views',
  input: {
    id: {
      description:
        'An ARK, a local id, <store>/<path> of a file, <repository>/<name> of an archive file, a job, the public id of a batch.',
      codec: Text,
      required: true,
      example: 'ark:/99999/fk4abc',
      argument: 'id',
    },
    limit: { ...limit, description: 'Most objects of a batch; 1000 unless said.' },
  },
  answer: DossierAnswer,
  returns: 'The dossiers of the objects that the id is of.',
  schemaName: 'ChainDossiers',
  rejections: {
    'no-dossier': { status: 404, description: 'No object with a dossier is meant.', dated: 'command-line' },
    'chain-off': { status: 409, description: 'No rule of the chain is on.' },
  },
  ask: (views, { id, limit: most }, asking) => {
    const off = offIn(views, asking)
    if (off) return E.left(off)
    const found = objectsOf(views, id, most).flatMap((object) => dossierOf(views, object) ?? [])
    if (found.length === 0)
      return E.left({
        code: 'no-dossier',
        message: `there is no dossier of ${id}`,
        path: 'id',
        ids: [id],
        hint: 'what was stored before the chain was switched on has one once it is adopted: `fonds chain adoption` says how far that is',
      })
    return E.right({ dossiers: found, total: Math.max(found.length, objectsOfBatch(views, id)) })
  },
  rows: { of: ({ dossiers }) => dossiers },
  show: ({ dossiers, total }) => {
    const [only] = dossiers
    return only && dossiers.length === 1
      ? shown(only)
      : [`${plural(total, 'object')}:`, { rows: dossiers, columns: lineColumns }]
  },
  examples: [
    ['dossier ark:/99999/fk4abc', 'its state, its steps, and the files that are not well'],
    ['dossier letters-1912-03', 'by what its owner calls it'],
    ['dossier ark:/99999/fk4abc --as-of 2026-01-31', 'as it was at the end of that day'],
  ],
})

/** Versions of the batch: an object has one in it, as a rule. */
const objectsOfBatch = (views: Pick<ViewStore, 'tally'>, id: string): number =>
  countRows(views, versions, is('batch', id))

const stepColumns: readonly Column[] = [
  { key: 'version' },
  { key: 'workflow' },
  stateColumn,
  { key: 'says' },
  { key: 'at', show: toTheSecond },
]

const shown = (dossier: Dossier): readonly Block[] => [
  `${dossier.object}: ${dossier.state} since ${toTheSecond(dossier.since)}`,
  dossier.state === 'withdrawn'
    ? `withdrawn: ${dossier.reason}`
    : `version ${dossier.version}, ${plural(dossier.files, 'file')}, ${bytes(dossier.bytes)}; ${dossier.verified} of ${plural(dossier.parts, 'file')} under fixity verified`,
  ...(dossier.archives === 0
    ? []
    : [
        `${dossier.indexed} of ${plural(dossier.archives, 'archive file')} indexed, ${plural(dossier.captures, 'capture')}`,
      ]),
  ...(dossier.batch === null
    ? []
    : [`batch ${dossier.batch}${dossier.profile === null ? '' : `, profile ${dossier.profile}`}`]),
  ...(dossier.steps.length > 0 ? [{ rows: dossier.steps, columns: stepColumns }] : []),
  ...(dossier.unwell.length > 0
    ? [
        'files that are not well:',
        {
          rows: dossier.unwell,
          columns: [
            { key: 'path', leaveOut: 'middle' as const, isWhole: true as const },
            stateColumn,
            { key: 'finding' },
            { key: 'since', show: toTheSecond },
          ],
        },
      ]
    : []),
  ...dossier.next.map((next) => `next: ${next}`),
]
