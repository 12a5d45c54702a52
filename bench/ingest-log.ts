import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import type { BatchEvent } from '../src/domain/ingest/batch/events.ts'
import { batchStream, jobStream, localIdStream, objectStream } from '../src/domain/ingest/ids.ts'
import type { JobEvent } from '../src/domain/ingest/job/events.ts'
import type { LocalIdEvent } from '../src/domain/ingest/local-id/events.ts'
import type { ObjectEvent } from '../src/domain/ingest/object/events.ts'
import { type JobState, workStates } from '../src/domain/ingest/transitions.ts'
import { categoryOf } from '../src/domain/kernel/event.ts'
import type { EventStore } from '../src/ports/event-store.ts'

/*
 * A log of ingest as it is when batches of one-file objects went through: the jobs of a batch are made first, then taken
 * through their steps, some side by side. Filled by plain statements: how fast it is filled is another benchmark's question.
 */

type Happened = BatchEvent | JobEvent | ObjectEvent | LocalIdEvent
type Add = (stream: string, event: Happened) => void

const perBatch = 2000
const sideBySide = 50
const perPage = 200
const owner = 'none'
const at = '2026-01-01T00:00:00.000Z'
const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const claim = {
  holder: 'ingest@bench/1/abcdef',
  fence: 1,
  deadline: '2026-01-01T00:05:00.000Z',
  millis: 300_000,
}

export const fillIngestLog = (
  file: string,
  jobs: number,
): { readonly store: EventStore; readonly events: number } => {
  const db = openDatabase(file)
  const store = openSqliteEventStore(db)
  const addStream = db.writer.prepare(
    'INSERT INTO streams (id, name, category, revision) VALUES (?, ?, ?, 0)',
  )
  const addEvent = db.writer.prepare(
    'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const metadata = JSON.stringify({ actor: 'bench', causationId: 'bench', correlationId: 'bench', schema: 1 })
  const streams = new Map<string, { readonly id: number; next: number }>()
  let events = 0
  const add: Add = (name, { type, data }) => {
    let stream = streams.get(name)
    if (!stream) {
      stream = { id: streams.size + 1, next: 0 }
      streams.set(name, stream)
      addStream.run(stream.id, name, categoryOf(name))
    }
    const time = Date.parse(at) + events++
    addEvent.run(stream.id, stream.next++, `${events}`, type, time, JSON.stringify(data), metadata)
  }
  db.writer.exec('BEGIN')
  for (let first = 1, number = 1; first <= jobs; first += perBatch, number++)
    addBatch(add, number, first, Math.min(perBatch, jobs - first + 1))
  db.writer.exec('COMMIT')
  db.writer.exec(
    'UPDATE streams SET revision = (SELECT MAX(revision) FROM events WHERE stream_id = streams.id)',
  )
  return { store, events }
}

const addBatch = (add: Add, number: number, firstJob: number, count: number): void => {
  const batch = `5b0c6f3e-8a4d-4f0e-9d59-${String(number).padStart(12, '0')}`
  const stream = batchStream(batch)
  const payload = {
    url: `https://host.example/batch-${number}.checkm`,
    type: 'single-file-batch-manifest',
  } as const
  const submission = { profile: 'default', submitter: 'ada', mode: 'add', payload } as const
  add(stream, { type: 'BatchSubmitted', data: { submission, profile: { name: 'default' }, at } })
  add(stream, { type: 'BatchNumbered', data: { number } })
  add(stream, { type: 'StepClaimed', data: { ...claim, state: 'pending' } })
  const places = Array.from({ length: count }, (_, place) => place)
  for (let from = 0; from < count; from += perPage) {
    const objects = places.slice(from, from + perPage).map((place) => listed(firstJob + place))
    add(stream, { type: 'ObjectsListed', data: { fence: 1, from, objects } })
  }
  add(stream, { type: 'PayloadRead', data: { fence: 1, count, type: payload.type, at } })
  for (const place of places) addJob(add, { batch, batchNumber: number, place, job: firstJob + place })
  const opened = { from: 'pending', to: 'processing', cause: 'I4', at, jobs: count, firstJob } as const
  add(stream, { type: 'BatchMoved', data: opened })
  for (let from = 0; from < count; from += sideBySide) {
    const those = places.slice(from, from + sideBySide)
    const lives = those.map((place) => lifeOf(firstJob + place, batch))
    for (let i = 0; i < lives[0]!.length; i++) for (const life of lives) add(...life[i]!)
    const completed = those.map((place): [number, number] => [place, workStates.length + 1])
    add(stream, { type: 'JobsNoted', data: { at, completed } })
  }
  add(stream, { type: 'BatchMoved', data: { from: 'processing', to: 'reporting', cause: 'I7', at } })
  add(stream, { type: 'StepClaimed', data: { ...claim, fence: 2, state: 'reporting' } })
  const all = { firstJob, completed: [0, count], failed: [], deleted: [], newlyCompleted: [0, count] }
  const saved = { report: 1, kind: 'first', ...all, failures: [], mail: false, fence: 2, at } as const
  add(stream, { type: 'ReportSaved', data: { ...saved, failures: [] } })
  add(stream, { type: 'BatchMoved', data: { from: 'reporting', to: 'completed', cause: 'I9', at, fence: 2 } })
}

const payloadOf = (job: number) =>
  ({ url: `https://host.example/letters/${job}.txt`, type: 'file', name: `${job}.txt`, size: 1024 }) as const

const localIdOf = (job: number): string => `letter-${job}`

const listed = (job: number) => ({ payload: payloadOf(job), localIds: [localIdOf(job)] })

interface NewJob {
  readonly batch: string
  readonly batchNumber: number
  readonly place: number
  readonly job: number
}

const addJob = (add: Add, { place, ...of }: NewJob): void => {
  const policy = {
    profile: 'default',
    collection: 'default',
    owner,
    submitter: 'ada',
    mode: 'add',
    priority: 5,
  } as const
  const facts = { ...of, ...policy, index: place, payload: payloadOf(of.job), localIds: [localIdOf(of.job)] }
  add(jobStream(of.job), { type: 'JobCreated', data: { ...facts, at } })
}

/** From its claim to its end. */
const lifeOf = (job: number, batch: string): readonly (readonly [stream: string, event: Happened])[] => {
  const ark = `ark:/99999/fk4${String(job).padStart(9, '0')}`
  const localIds = [localIdOf(job)]
  const [own, object, local] = [jobStream(job), objectStream(ark), localIdStream(owner, localIdOf(job))]
  const change: Partial<Record<JobState, object>> = {
    estimating: { spaceNeeded: 1024, sizeKnown: true },
    downloading: { spaceNeeded: 1024, sizeKnown: true },
    processing: { ark, localIds },
    storing: { ark, version: 1, files: 7, bytes: 4000 },
  }
  const moved = (i: number): readonly [string, Happened] => {
    const from = workStates[i]!
    const to = workStates[i + 1] ?? 'completed'
    const changed = change[from]
    const move = { from, to, cause: 'I21', at, fence: 1, ...(changed && { changed }) } as const
    return [own, { type: 'JobMoved', data: move }]
  }
  const files = [
    'mrt-dc.xml',
    'mrt-erc.txt',
    'mrt-ingest.txt',
    'mrt-membership.txt',
    'mrt-mom.txt',
    'mrt-owner.txt',
  ]
  const paths = [`producer/${job}.txt`, ...files.map((name) => `system/${name}`)]
  const stored = {
    job,
    fence: 1,
    version: 1,
    inventoryDigest: sha256,
    files: paths.length,
    bytes: 4000,
    listed: paths.map((path, i) => ({
      path,
      size: 100 + i,
      sha256: `${job}`.padStart(8, '0') + sha256.slice(8 + i) + '0'.repeat(i),
    })),
    object: { batch, profile: 'default', collection: 'default', owner, localIds, mode: 'add' },
    at,
  } as const
  return [
    [own, { type: 'StepClaimed', data: { ...claim, state: 'pending' } }],
    ...[0, 1, 2, 3].map(moved),
    [local, { type: 'LocalIdClaimed', data: { job, fence: 1, at } }],
    [object, { type: 'ArkReserved', data: { job, fence: 1, at } }],
    [local, { type: 'LocalIdBound', data: { job, ark, at } }],
    moved(4),
    [object, { type: 'VersionStored', data: stored }],
    ...[5, 6, 7].map(moved),
  ]
}
