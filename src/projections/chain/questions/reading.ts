import { archives, dossiers, names, parts, versions } from '../../../domain/chain/views.ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import { is, row, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { commandLine } from '../../runtime/finder.ts'
import { isAwaited } from '../standing.ts'
import type { DossierRow, VersionRow } from '../tables.ts'
import type { Dossier, DossierLine, Step, UnwellPart } from './answers.ts'

/** Files that are named of one object: it may have a million. */
const maxUnwell = 20
/** Versions whose steps are named. */
const maxVersions = 10

/**
 * Returns the objects that a text means: by their own id, a file's place, an archive file in the index, a local id, a job or a batch; of a batch as many as
 * asked for. None: it is none of these.
 */
export const objectsOf = (views: Views, id: string, limit: number): readonly string[] => {
  const own = row(views, dossiers, is('object', id))
  if (own) return [own.object]
  const slash = id.indexOf('/')
  const part =
    slash > 0
      ? row(views, parts, is('store', id.slice(0, slash)), is('path', id.slice(slash + 1)))
      : undefined
  if (part) return [part.object]
  const archive =
    slash > 0
      ? row(views, archives, is('repository', id.slice(0, slash)), is('name', id.slice(slash + 1)))
      : undefined
  if (archive) return [archive.object]
  const named = rows(views, names, { where: [is('name', id)], limit }).map(({ object }) => object)
  if (named.length > 0) return named
  const ofBatch = distinct(rows(views, versions, { where: [is('batch', id)], limit }))
  if (ofBatch.length > 0) return ofBatch
  return /^\d{1,15}$/.test(id)
    ? distinct(rows(views, versions, { where: [is('job', Number(id))], limit }))
    : []
}

const distinct = (found: readonly VersionRow[]): readonly string[] => [
  ...new Set(found.map(({ object }) => object)),
]

export const lineOf = ({ waiting: _, stuck: __, ...line }: DossierRow): DossierLine => line

/** Undefined if there is no dossier of the object. */
export const dossierOf = (views: Views, object: string): Dossier | undefined => {
  const found = row(views, dossiers, is('object', object))
  if (!found) return undefined
  const last = rows(views, versions, {
    where: [is('object', object)],
    orderBy: [{ column: 'version', descending: true }],
    limit: maxVersions,
  })
  const unwell = unwellOf(views, object)
  return {
    ...lineOf(found),
    steps: last.flatMap(stepsOf),
    unwell: [...unwell],
    next: [...nextOf(found, last, unwell)],
  }
}

const unwellStates = ['failed', 'lost', 'parked', 'unchecked']

/** Parts whose record was renewed are still not well: the next check says. */
const unwellOf = (views: Views, object: string): readonly UnwellPart[] =>
  [...unverifiedOf(views, object), ...unindexedOf(views, object)].slice(0, maxUnwell)

const unverifiedOf = (views: Views, object: string): readonly UnwellPart[] =>
  unwellStates
    .flatMap((state) =>
      rows(views, parts, {
        where: [is('object', object), is('state', state), { column: 'finding', is: '!=', value: null }],
        limit: maxUnwell,
      }),
    )
    .map(({ store, path, version, state, finding, since }) => ({
      ...{ store, path, version, state, since },
      finding: finding ?? '',
      next: commandLine('fixity item', store, path),
    }))

/** Archive files that could not be indexed: one that is to be read again says when it is. */
const unindexedOf = (views: Views, object: string): readonly UnwellPart[] =>
  ['failed', 'parked', 'waiting']
    .flatMap((state) =>
      rows(views, archives, {
        where: [is('object', object), is('state', state), { column: 'finding', is: '!=', value: null }],
        limit: maxUnwell,
      }),
    )
    .map(({ repository, name, path, version, state, finding, since }) => ({
      ...{ store: repository, path, version, since },
      state: state === 'failed' ? 'not indexed' : state,
      finding: finding ?? '',
      next: commandLine('indexing why', `${repository}/${name}`),
    }))

const stepsOf = (of: VersionRow): readonly Step[] => [
  {
    version: of.version,
    workflow: 'ingest',
    state: 'done',
    says: `stored, ${plural(of.files, 'file')}`,
    at: of.storedAt,
  },
  ...(of.handedOverAt !== null || isAwaited('fixity', of) ? [fixityStep(of)] : []),
  ...(of.archives > 0 || isAwaited('indexing', of) || of.indexingFailure !== null ? [indexingStep(of)] : []),
]

const fixityStep = ({ version, ...of }: VersionRow): Step => {
  const step = { version, workflow: 'fixity' } as const
  if (of.handedOverAt === null)
    return of.failure === null
      ? { ...step, state: 'waiting', says: 'not handed over yet', at: null }
      : { ...step, state: 'at-risk', says: `cannot be handed over: ${of.failure}`, at: null }
  const verified = `${of.verified} of ${plural(of.parts, 'file')} verified`
  if (of.failing > 0)
    return { ...step, state: 'at-risk', says: `${verified}, ${of.failing} not well`, at: of.verifiedAt }
  const isDone = of.verified >= of.parts
  return { ...step, state: isDone ? 'done' : 'working', says: verified, at: of.verifiedAt }
}

const indexingStep = ({ version, ...of }: VersionRow): Step => {
  const step = { version, workflow: 'indexing', at: of.listedAt } as const
  if (of.indexingFailure !== null)
    return { ...step, state: 'at-risk', says: `cannot be handed over: ${of.indexingFailure}` }
  if (of.listedAt === null) return { ...step, state: 'waiting', says: 'not handed over yet' }
  const indexed = `${of.indexed} of ${plural(of.archives, 'archive file')} indexed, ${plural(of.captures, 'capture')}`
  if (of.unindexed > 0)
    return { ...step, state: 'at-risk', says: `${indexed}; ${of.unindexed} could not be indexed` }
  return { ...step, state: of.indexed >= of.archives ? 'done' : 'working', says: indexed }
}

const nextOf = (
  { state, failing, unindexed }: DossierRow,
  last: readonly VersionRow[],
  unwell: readonly UnwellPart[],
): readonly string[] => {
  if (state === 'done' || state === 'withdrawn') return []
  const stuck = last.some(({ failure, indexingFailure }) => failure !== null || indexingFailure !== null)
  return [
    ...(stuck
      ? [
          'repair the object in storage, then hand it over again: `fonds do chain.adopt` with your name and reason',
        ]
      : []),
    ...unwell.slice(0, 3).map(({ next }) => `\`${next}\` shows what was found`),
    ...(failing + unindexed > 3 ? [`${failing + unindexed - 3} more files are to be settled`] : []),
    ...(state === 'working' ? ['nothing: its steps run in turn'] : []),
  ]
}
