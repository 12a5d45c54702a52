import { contentTopic } from '../../src/domain/fixity/messages.ts'
import type { NewEvent } from '../../src/domain/kernel/event.ts'

/* Events of as many things as are wanted, as archives of that size hold them: each the first of a stream. */

interface First {
  readonly stream: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly schema?: number
}

const at = '2026-01-31T12:00:00.000Z'
const metadata = { actor: 'ada', causationId: 'c', correlationId: 'c' }

/** As an append takes it. `n`: no other event of the home has it. */
export const appended = ({ stream, type, data, schema = 1 }: First, n: number) => ({
  stream,
  expected: 'none' as const,
  events: [{ id: idOf(n), type, data, metadata: { ...metadata, schema } } satisfies NewEvent],
})

const idOf = (n: number): string => `00000000-0000-7000-8000-${digits(n, 12)}`
const digits = (n: number, length = 7): string => String(n).padStart(length, '0')

/** Content whose checks are due in 2099, 200 files a folder. */
export const content = (n: number): First => recorded(`archive/folder-${digits(Math.floor(n / 200), 5)}`, n)

/** The same, all files in one folder of a store of their own. */
export const contentOfOneFolder = (n: number): First => recorded('shelf/all', n)

const recorded = (folder: string, n: number): First => ({
  stream: `fixity-${folder}/file-${digits(n)}.tif`,
  type: 'ContentRecorded',
  schema: 2,
  data: {
    checksums: [
      { algorithm: 'sha-256', value: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' },
    ],
    size: 12_345,
    recordedFrom: contentTopic.name,
    at,
    dueAt: '2099-01-01T00:00:00.000Z',
  },
})

const batch = '01a21725-6013-71e6-92bd-56e81160db6a'
/** Of all `jobs`. */
export const batchPage = `/ingest/batches/${batch}`

/** A batch of so many jobs; `job` are they. */
export const batchOf = (jobs: number) => {
  const step = (type: string, data: First['data']) => ({ type, data, metadata: { ...metadata, schema: 1 } })
  const payload = { url: 'file:///deposit/letters', type: 'manifest' }
  return {
    stream: `ingestBatch-${batch}`,
    expected: 'none' as const,
    events: [
      step('BatchSubmitted', {
        submission: {
          ...{ profile: 'default', submitter: 'ada', mode: 'add', payload },
          ...{ localIds: [], description: { what: 'Letters' } },
        },
        profile: { name: 'default', description: 'Whatever has no profile of its own.' },
        at,
      }),
      step('BatchNumbered', { number: 1 }),
      step('PayloadRead', { fence: 1, count: jobs, type: 'manifest', at }),
      step('BatchMoved', { from: 'pending', to: 'processing', cause: 'I4', at, jobs, firstJob: 1 }),
    ].map((event, i): NewEvent => ({ ...event, id: `00000000-0000-7000-9000-${digits(i, 12)}` })),
  }
}

export const job = (n: number): First => ({
  stream: `ingestJob-${n}`,
  type: 'JobCreated',
  data: {
    ...{ batch, batchNumber: 1, job: n, index: n - 1 },
    ...{
      profile: 'default',
      collection: 'default',
      owner: 'none',
      submitter: 'ada',
      mode: 'add',
      priority: 5,
    },
    payload: { url: `file:///deposit/letters/letter-${digits(n)}.txt`, type: 'file' },
    localIds: [`letter-${digits(n)}`],
    description: { what: `Letter ${n}` },
    at,
  },
})

export const work = (n: number): First => ({
  stream: `work-w${digits(n)}`,
  type: 'WorkObserved',
  data: {
    ...{ source: 'library', sourceVersion: 1, sourceModifiedAt: at, state: 'visible', links: [], at },
    ...{ title: `Plate ${n} of a herbal`, fields: { shelf: `EPB/${n}` } },
  },
})

export const archiveFile = (n: number): First => ({
  stream: `indexing-main/crawl-${digits(n)}.warc.gz`,
  type: 'FileDiscovered',
  data: {
    location: `/crawl/crawl-${digits(n)}.warc.gz`,
    ...{ size: 1175, modifiedAt: at, kind: 'content', at, dueAt: '2099-01-01T00:00:00.000Z' },
  },
})

export const episode = (n: number): First => ({
  stream: `episode-e${n}`,
  type: 'Curated',
  data: {
    ...{ title: `Episode ${n}`, mediaUri: `https://media.example/${n}.mp3`, mediaType: 'audio/mpeg' },
    ...{ curator: 'ada', priority: 0, firstCuratedAt: at, curatedAt: at, at },
  },
})
