import { normaliseArk } from '../../domain/ingest/ark.ts'
import { batches, files, jobs, localIds, objects, profiles } from '../../domain/ingest/views.ts'
import { is } from '../../domain/kernel/read-views.ts'
import { beginning, findRows } from '../runtime/find-rows.ts'
import {
  commandLine,
  type Finder,
  type Hits,
  numberIn,
  pageAt,
  type Search,
  type SearchedViews,
} from '../runtime/finder.ts'
import { ingest } from './projection.ts'
import { jobsCalled } from './questions/jobs-called.ts'

const batchesFinder: Finder = {
  kind: 'ingest-batches',
  title: 'Batches',
  projection: ingest,
  find: ({ views }, { text, limit }) => {
    const number = numberIn(text)
    return findRows(batches, {
      views,
      limit,
      ways: [
        ...(number === undefined ? [] : [{ where: [is('number', number)] }]),
        beginning('batch', text.toLowerCase()),
        { ...beginning('collection', text, 'state'), onlyNow: 'collections of batches' },
        { ...beginning('submitter', text, 'number'), onlyNow: 'submitters of batches' },
        { words: text, onlyNow: 'titles of batches' },
      ],
      hitOf: (row) => ({
        id: String(row.number ?? row.batch),
        title: row.title ?? row.collection,
        note: row.state,
        command: commandLine('ingest batch', String(row.number ?? row.batch)),
        page: pageAt`/ingest/batches/${row.number ?? row.batch}`,
        isExact:
          (number !== undefined && row.number === number) ||
          row.batch === text.toLowerCase() ||
          row.title === text,
      }),
    })
  },
}

const jobsFinder: Finder = {
  kind: 'ingest-jobs',
  title: 'Jobs',
  projection: ingest,
  find: ({ views }, { text, limit }) => {
    const number = numberIn(text)
    const byRow = findRows(jobs, {
      views,
      limit,
      ways: [
        ...(number === undefined ? [] : [{ where: [is('job', number)] }]),
        { words: text, onlyNow: 'titles of jobs' },
      ],
      hitOf: ({ job, title, ark, state }) => ({
        ...jobHit(job),
        title: title ?? ark,
        note: state,
        isExact: job === number || title === text,
      }),
    })
    return 'scanned' in views ? byRow : withCalled(views, byRow, { text, limit })
  },
}

const jobHit = (job: number) => ({
  id: String(job),
  command: commandLine('ingest job', String(job)),
  page: pageAt`/ingest/jobs/${job}`,
})

/** With jobs that are not at their end and hand in something that is called so: no object has that local id yet. */
const withCalled = (views: SearchedViews, { hits, total, ...byRow }: Hits, { text, limit }: Search): Hits => {
  const called = jobsCalled(views, (localId) => localId.startsWith(text))
  const more = called.jobs
    .filter(({ job }) => !hits.some(({ id }) => id === String(job)))
    .map(({ job, title, state, localId }) => ({
      ...jobHit(job),
      title: title ?? localId,
      note: `${state}, hands in ${localId}`,
      isExact: localId === text,
    }))
    .toSorted((one, other) => Number(other.isExact) - Number(one.isExact))
  return {
    ...byRow,
    hits: [...hits, ...more].slice(0, limit),
    total: total + more.length,
    ...(!called.isAll &&
      total + more.length === 0 && {
        notCompared: [...(byRow.notCompared ?? []), 'local ids of most jobs that wait are not compared'],
      }),
  }
}

const objectsFinder: Finder = {
  kind: 'ingest-objects',
  title: 'Objects',
  projection: ingest,
  find: ({ views }, { text, limit }) => {
    // `ark:99999/fk4` is the form without the first slash; hyphens mean nothing in an ARK.
    const ark = normaliseArk(text) ?? text.replace(/^ark:\/?/i, 'ark:/')
    return findRows(objects, {
      views,
      limit,
      ways: [
        { where: [is('object', text)] },
        { where: [is('object', ark)] },
        beginning('object', ark),
        { words: text, onlyNow: 'titles of objects' },
      ],
      hitOf: ({ object, title, version, files }) => ({
        id: object,
        title,
        note: version === 0 ? 'reserved' : `version ${version}, files: ${files}`,
        command: commandLine('ingest object', object),
        page: pageAt`/things/${object}`,
        isExact: object === text || object === ark || title === text,
      }),
    })
  },
}

const localIdsFinder: Finder = {
  kind: 'ingest-local-ids',
  title: 'Local ids',
  projection: ingest,
  find: ({ views }, { text, limit }) =>
    findRows(localIds, {
      views,
      limit,
      ways: [{ ...beginning('localId', text), onlyNow: 'local ids' }],
      hitOf: ({ owner, localId, ark, job }) => ({
        id: localId,
        title: ark,
        note: `of ${owner}`,
        command: ark === null ? commandLine('ingest ids', localId) : commandLine('ingest object', ark),
        ...(ark !== null
          ? { page: pageAt`/things/${ark}` }
          : job !== null && { page: pageAt`/ingest/jobs/${job}` }),
        isExact: localId === text,
      }),
    }),
}

/** SHA-256 in hex. */
const isDigest = /^[0-9a-f]{8,64}$/i

const filesFinder: Finder = {
  kind: 'ingest-files',
  title: 'Files of objects',
  projection: ingest,
  find: ({ views }, { text, limit }) =>
    findRows(files, {
      views,
      limit,
      ways: [
        ...(isDigest.test(text)
          ? [{ ...beginning('sha256', text.toLowerCase()), onlyNow: 'checksums' } as const]
          : []),
        { name: text, onlyNow: 'names of files' },
      ],
      hitOf: ({ object, version, path, sha256 }) => ({
        id: object,
        title: path,
        note: `version ${version}`,
        command: commandLine('ingest object', object),
        page: pageAt`/things/${object}`,
        isExact: sha256 === text.toLowerCase() || path.slice(path.lastIndexOf('/') + 1) === text,
      }),
    }),
}

const profilesFinder: Finder = {
  kind: 'ingest-profiles',
  title: 'Profiles',
  projection: ingest,
  find: ({ views }, { text, limit }) =>
    findRows(profiles, {
      views,
      limit,
      ways: [beginning('profile', text)],
      hitOf: ({ profile, collection }) => ({
        id: profile,
        note: `of the collection ${collection}`,
        command: 'fonds ingest profiles',
        isExact: profile === text,
      }),
    }),
}

export const ingestFinders: readonly Finder[] = [
  batchesFinder,
  jobsFinder,
  objectsFinder,
  localIdsFinder,
  filesFinder,
  profilesFinder,
]
