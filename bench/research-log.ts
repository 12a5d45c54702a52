import { openDatabase } from '../infra/sqlite/database.ts'
import { categoryOf } from '../src/domain/kernel/event.ts'
import { addMillis } from '../src/domain/kernel/time.ts'
import { clipStream, episodeStream } from '../src/domain/research/terms.ts'

export interface Archive {
  readonly episodes: number
  readonly clips: number
  /** Pairs that are done: episode by episode, so many researchers side by side, each with a lease of 100 clips. */
  readonly results: number
  /** Pairs that are leased and not done, of each episode; where there are no results. */
  readonly leased?: number
  readonly researchers?: number
}

export const began = '2026-01-01T00:00:00.000Z'
export const leaseOf = (n: number): string => `0197a3c4-0000-7000-8000-${String(n).padStart(12, '0')}`
export const episodeId = (n: number): string => `tbtl-${n}`
export const clipId = (n: number): string => `gurgle-${n}`
export const perLease = 100

const engine = { name: 'correlator', version: '1', settings: 'rate=8000 threshold=0.6' }
const hash = (letter: string) => letter.repeat(64)

/** Of every fifty pairs one has a match. */
export const resultOf = (n: number, clip: number, at: string) => ({
  clip: clipId(clip),
  researcher: `listener-${n % 20}`,
  matches: n % 50 === 0 ? [{ offset: 1_754_000_000_000, score: 0.93 }] : [],
  episodeDuration: 5_400_000_000_000,
  clipDuration: 3_000_000_000,
  engine,
  researchedAt: at,
  bestScore: 0.41,
  episodeHash: hash('a'),
  clipHash: hash('b'),
})

export const curated = (id: string, n: number) => ({
  title: `The one they call ${id}`,
  description: 'What the curator says of it, in a sentence or two that nobody reads.',
  mediaUri: `https://media.example/${id}.mp3`,
  mediaType: 'audio/mpeg',
  priority: n % 5,
  curator: 'bench',
  firstCuratedAt: addMillis(began, -60_000 * ((n * 7919) % 100_000)),
  curatedAt: began,
  at: began,
})

/**
 * Fills the log of an embedded home, by plain statements: how fast a log is filled is another benchmark's question. Its
 * rows are as the intake writes them. Gives how many events there are.
 */
export const fillResearchLog = async (
  file: string,
  { episodes, clips, results, leased = 0, researchers = 20 }: Archive,
): Promise<number> => {
  const db = openDatabase(file, { durability: 'normal' })
  const { writer } = db
  const addStream = writer.prepare('INSERT INTO streams (name, category, revision) VALUES (?, ?, -1)')
  const addEvent = writer.prepare(
    'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const setRevision = writer.prepare('UPDATE streams SET revision = ? WHERE id = ?')
  const streams = new Map<string, { id: number | bigint; revision: number }>()
  const start = Date.parse(began)
  let written = 0

  const add = (name: string, type: string, data: object): void => {
    let stream = streams.get(name)
    if (!stream) {
      stream = { id: addStream.run(name, categoryOf(name)).lastInsertRowid, revision: -1 }
      streams.set(name, stream)
    }
    const id = leaseOf(written)
    const metadata = {
      actor: 'fonds://researcher/listener-1',
      causationId: `fonds://researcher/listener-1#${id}`,
      correlationId: id,
      schema: 1,
      origin: {
        log: '0123456789abcdef0123456789abcdef',
        topic: 'fonds.research.results',
        partition: 1,
        offset: String(written),
        at: began,
      },
    }
    addEvent.run(
      stream.id,
      ++stream.revision,
      id,
      type,
      start + written,
      JSON.stringify(data),
      JSON.stringify(metadata),
    )
    if (++written % 100_000 === 0) writer.exec('COMMIT; BEGIN')
  }

  writer.exec('BEGIN')
  for (let n = 0; n < episodes; n++) add(episodeStream(episodeId(n)), 'Curated', curated(episodeId(n), n))
  for (let n = 0; n < clips; n++) add(clipStream(clipId(n)), 'Curated', curated(clipId(n), n))

  const fences = new Map<number, number>()
  const grant = (lease: number, at: string): void => {
    const pair = lease * perLease
    lend(lease, Math.floor(pair / clips), pair % clips, at)
  }
  const lend = (lease: number, episode: number, first: number, at: string): void => {
    const fence = (fences.get(episode) ?? 0) + 1
    fences.set(episode, fence)
    const stream = episodeStream(episodeId(episode))
    add(stream, 'LeaseGranted', {
      lease: leaseOf(lease),
      fence,
      clips: Array.from({ length: Math.min(perLease, clips - first) }, (_, i) => clipId(first + i)),
      deadline: addMillis(at, 7_200_000),
      notAfter: addMillis(at, 5_400_000),
      leaseSeconds: 7200,
      policy: 0,
      at,
    })
    add(stream, 'WorkItemTaken', { lease: leaseOf(lease), researcher: `listener-${lease % 20}`, at })
  }
  let n = 0
  for (let episode = 0; episode < episodes; episode++)
    for (let first = 0; first < leased; first += perLease) lend(n++, episode, first, new Date().toISOString())
  const leases = Math.ceil(results / perLease)
  n = 0
  for (let first = 0; first < leases; first += researchers) {
    const together = Math.min(researchers, leases - first)
    for (let i = 0; i < together; i++) grant(first + i, addMillis(began, n * 10))
    for (let clip = 0; clip < perLease; clip++)
      for (let i = 0; i < together; i++) {
        const at = addMillis(began, n * 10)
        const pair = (first + i) * perLease + clip
        const final = clip === perLease - 1
        add(episodeStream(episodeId(Math.floor(pair / clips))), 'ClipResearched', {
          ...resultOf(n++, pair % clips, at),
          lease: leaseOf(first + i),
          final,
          effect: final ? { kind: 'revoked' } : { kind: 'extended', deadline: addMillis(at, 7_200_000) },
          repeat: false,
          at,
        })
      }
  }
  for (const { id, revision } of streams.values()) setRevision.run(revision, id)
  writer.exec('COMMIT')
  await db.close()
  return written
}
