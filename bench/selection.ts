import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { RecordedEvent } from '../src/domain/kernel/event.ts'
import { addMillis } from '../src/domain/kernel/time.ts'
import {
  createSchedulerState,
  readSchedulerState,
  schedulerStateParts,
} from '../src/domain/research/selection/create-scheduler-state.ts'
import type { Choice, SchedulerState } from '../src/domain/research/selection/scheduler-state.ts'
import { expectSame, printTable } from './table.ts'

/*
 * The scheduler state of the assigner: choosing and holding every lease of an archive beside the same rules as plain filters and
 * sorts (of a smaller archive: it takes too long), and reading results beside a bare loop that sets a bit for each.
 * `node bench/selection.ts [episodes] [clips] [results]`
 */

const episodes = Number(process.argv[2] ?? 4600)
const clips = Number(process.argv[3] ?? 5000)
const results = Math.min(Number(process.argv[4] ?? 2_000_000), episodes * clips)
const most = 100
const began = '2026-01-01T00:00:00.000Z'
const asked = { micros: 20, foldsPerSecond: 150_000 }

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const mebibytes = (): { held: number; resident: number } => {
  collectGarbage()
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
  return { held: (heapUsed + arrayBuffers) / 2 ** 20, resident: rss / 2 ** 20 }
}

const event = (stream: string, type: string, data: object): RecordedEvent => ({
  id: '0197a3c4-0000-7000-8000-000000000001',
  stream,
  type,
  data,
  revision: 0n,
  position: 0n,
  recordedAt: began,
  metadata: { actor: 'bench', causationId: 'bench', correlationId: 'bench', schema: 1 },
})

const firstCurated = (n: number): string => addMillis(began, -60_000 * ((n * 7919) % 100_000))

const curated = (stream: string, n: number): RecordedEvent =>
  event(stream, 'Curated', {
    title: stream,
    mediaUri: `https://media.example/${stream}.mp3`,
    mediaType: 'audio/mpeg',
    priority: n % 5,
    curator: 'bench',
    firstCuratedAt: firstCurated(n),
    curatedAt: began,
    at: began,
  })

const fold = (scheduler: SchedulerState, one: RecordedEvent): void => {
  const fault = scheduler.fold(one)
  if (fault !== undefined) throw new Error(fault)
}

const newArchive = (episodeCount: number, clipCount: number): SchedulerState => {
  const scheduler = createSchedulerState()
  for (let n = 0; n < episodeCount; n++) fold(scheduler, curated(`episode-tbtl-${n}`, n))
  for (let n = 0; n < clipCount; n++) fold(scheduler, curated(`clip-gurgle-${n}`, n))
  scheduler.advance(began)
  return scheduler
}

const deadline = addMillis(began, 7_200_000)
const notAfter = addMillis(began, 5_400_000)
const holdNext = (scheduler: SchedulerState, n: number): boolean => {
  const choice = scheduler.select()
  if (choice) scheduler.hold({ ...choice, lease: `lease-${n}`, deadline, notAfter })
  return choice !== undefined
}

/** Microseconds of each lease, until nothing is left to choose. */
const holdAll = (hold: (n: number) => boolean, atMost: number): Float64Array => {
  const micros = new Float64Array(atMost)
  let n = 0
  for (; n < atMost; n++) {
    const start = performance.now()
    const held = hold(n)
    micros[n] = (performance.now() - start) * 1000
    if (!held) break
  }
  return micros.subarray(0, n)
}

const mean = (micros: Float64Array): number => micros.reduce((sum, one) => sum + one, 0) / micros.length
const within = (micros: Float64Array, share: number): number =>
  micros.toSorted()[Math.floor(micros.length * share)]!

/** research L10 to L23 word by word: every episode, every clip, filtered, sorted, cut. */
const newLiteral = (episodeCount: number, clipCount: number) => {
  const items = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ n, id: `${n}`, priority: n % 5, first: firstCurated(n) }))
  type Item = ReturnType<typeof items>[number]
  const inOrder = (one: Item, other: Item): number =>
    other.priority - one.priority ||
    (one.first < other.first ? 1 : one.first > other.first ? -1 : one.id < other.id ? -1 : 1)
  const [allEpisodes, allClips] = [items(episodeCount), items(clipCount)]
  const leased = new Set<number>()
  const isOpen = (episode: Item, clip: Item): boolean => !leased.has(episode.n * clipCount + clip.n)
  return (): boolean => {
    const [episode] = allEpisodes.filter((one) => allClips.some((clip) => isOpen(one, clip))).sort(inOrder)
    if (!episode) return false
    const open = allClips.filter((clip) => isOpen(episode, clip)).sort(inOrder)
    for (const clip of open.slice(0, most)) leased.add(episode.n * clipCount + clip.n)
    return true
  }
}

const measureSelection = () => {
  const scheduler = newArchive(episodes, clips)
  const leases = Math.ceil((episodes * clips) / most)
  const micros = holdAll((n) => holdNext(scheduler, n), 2 * leases)
  if (micros.length !== episodes * Math.ceil(clips / most)) throw new Error('Not every pair was leased')
  const idle = nanosEach(1_000_000, () => scheduler.select())
  const added = 500
  const news = holdAll((n) => {
    fold(scheduler, curated(`clip-new-${n}`, n))
    return true
  }, added)
  const start = performance.now()
  if (scheduler.select()?.clips.length !== most) throw new Error('New clips did not open the episodes')
  const next = (performance.now() - start) * 1000
  return { micros, idle, news, next, added }
}

const nanosEach = (times: number, work: () => Choice | undefined): number => {
  const start = performance.now()
  for (let n = 0; n < times; n++) if (work()) throw new Error('There is something to choose')
  return ((performance.now() - start) / times) * 1e6
}

/** As they come in real life: an episode after the other, a lease and its hundred results. */
function* log(): Generator<RecordedEvent> {
  for (let n = 0; n < results; n++) {
    const stream = `episode-tbtl-${Math.floor(n / clips)}`
    const clip = n % clips
    const lease = `0197a3c4-0000-7000-8000-${String(n - (clip % most)).padStart(12, '0')}`
    if (clip % most === 0)
      yield event(stream, 'LeaseGranted', {
        lease,
        fence: 1,
        clips: Array.from({ length: Math.min(most, clips - clip) }, (_, i) => `gurgle-${clip + i}`),
        deadline,
        notAfter,
        leaseSeconds: 7200,
        policy: 0,
        at: began,
      })
    const final = clip % most === most - 1
    yield event(stream, 'ClipResearched', {
      lease,
      clip: `gurgle-${clip}`,
      researcher: 'listener-1',
      matches: n % 50 === 0 ? [{ offset: 1_754_000_000_000, score: 0.93 }] : [],
      episodeDuration: 5_400_000_000_000,
      clipDuration: 3_000_000_000,
      bestScore: 0.41,
      episodeHash: 'a'.repeat(64),
      clipHash: 'b'.repeat(64),
      engine: { name: 'correlator', version: '1', settings: 'rate=8000 threshold=0.6' },
      researchedAt: began,
      final,
      effect: final
        ? { kind: 'revoked' }
        : { kind: 'extended', deadline: addMillis(deadline, n % 3_600_000) },
      repeat: false,
      at: began,
    })
  }
}

interface Quarter {
  readonly millis: number
  readonly held: number
  readonly resident: number
}

/** Reads all lines; the time in which they are made up does not count. */
const feed = (take: (line: string) => void): Quarter[] => {
  const quarters: Quarter[] = []
  let millis = 0
  let seen = 0
  let lines: string[] = []
  const read = (): void => {
    const start = performance.now()
    for (const line of lines) take(line)
    millis += performance.now() - start
    lines = []
  }
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
  for (const one of log()) {
    lines.push(JSON.stringify(one, asText))
    if (one.type === 'ClipResearched') seen++
    if (lines.length >= 5000) read()
    if (seen >= (results * (quarters.length + 1)) / 4) {
      read()
      quarters.push({ millis, ...mebibytes() })
    }
  }
  return quarters
}

const newBits = () => {
  const [episodeNumbers, clipNumbers] = [new Map<string, number>(), new Map<string, number>()]
  const numberOf = (numbers: Map<string, number>, id: string): number => {
    const known = numbers.get(id)
    if (known === undefined) numbers.set(id, numbers.size)
    return known ?? numbers.size - 1
  }
  const bits = new Uint8Array(Math.ceil((episodes * clips) / 8))
  return {
    take(line: string): void {
      const { type, stream, data } = JSON.parse(line) as {
        type: string
        stream: string
        data: { clip: string }
      }
      if (type !== 'ClipResearched') return
      const bit = numberOf(episodeNumbers, stream) * clips + numberOf(clipNumbers, data.clip)
      bits[bit >> 3]! |= 1 << (bit & 7)
    },
    count: () => bits.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0),
  }
}

const timed = <T>(work: () => T): { readonly millis: number; readonly result: T } => {
  const start = performance.now()
  const result = work()
  return { millis: performance.now() - start, result }
}

const selection = measureSelection()
const [fewEpisodes, fewClips] = [Math.min(episodes, 300), Math.min(clips, 1000)]
const few = newArchive(fewEpisodes, fewClips)
const fewLeases = fewEpisodes * Math.ceil(fewClips / most)
const oursOfFew = holdAll((n) => holdNext(few, n), fewLeases)
const literal = newLiteral(fewEpisodes, fewClips)
const literalOfFew = holdAll(literal, fewLeases)
expectSame('leases by filter and sort', literalOfFew.length, oursOfFew.length)

const theirBits = newBits()
const theirs = feed(theirBits.take)
const scheduler = newArchive(episodes, clips)
const before = mebibytes()
const ours = feed((line) => fold(scheduler, JSON.parse(line) as RecordedEvent))
expectSame('results read', scheduler.size().researched, theirBits.count())
const perSecond = (quarters: readonly Quarter[]): number => (results / quarters.at(-1)!.millis) * 1000

console.log(`${episodes.toLocaleString('en')} episodes × ${clips.toLocaleString('en')} clips`)
printTable('selection', [
  {
    what: `leases of ${most} clips, all of ${fewEpisodes} × ${fewClips}`,
    ours: 1e6 / mean(oursOfFew),
    beside: 'filter and sort',
    theirs: 1e6 / mean(literalOfFew),
    unit: '/s',
    promise: 10,
  },
  {
    what: `leases of ${most} clips, all ${selection.micros.length.toLocaleString('en')}`,
    ours: 1e6 / mean(selection.micros),
    beside: `asked: ${asked.micros} µs`,
    theirs: 1e6 / asked.micros,
    unit: '/s',
    promise: 1,
  },
  {
    what: 'results read',
    ours: perSecond(ours),
    beside: 'JSON.parse and a bit',
    theirs: perSecond(theirs),
    unit: '/s',
    promise: 0.3,
  },
])
const { micros, idle, news, next, added } = selection
const short = (n: number): string => n.toPrecision(3)
console.log(
  `select and hold: mean ${short(mean(micros))} µs, 99 of 100 within ${short(within(micros, 0.99))} µs`,
)
console.log(`nothing to choose: said in ${short(idle)} ns`)
console.log(
  `a new clip: mean ${short(mean(news))} µs; the first choice after ${added} of them: ${short(next)} µs`,
)
for (const [n, { millis, held, resident }] of ours.entries()) {
  const [done, was] = [(results * (n + 1)) / 4, ours[n - 1]?.millis ?? 0]
  const rate = Math.round((results / 4 / (millis - was)) * 1000).toLocaleString('en')
  console.log(
    `  ${done.toLocaleString('en')} results: ${(millis / 1000).toFixed(1)} s, ${rate}/s, +${short(held - before.held)} MiB held, ${resident.toFixed(0)} MiB resident`,
  )
}
const left = ours.at(-1)!
console.log(
  `23,000,000 results would take ${((23e6 / results) * (left.millis / 60_000)).toFixed(1)} minutes (asked: ${asked.foldsPerSecond.toLocaleString('en')}/s)`,
)

const written = timed(() => Buffer.concat([...schedulerStateParts(scheduler)]))
const read = timed(() => readSchedulerState(written.result))
const same = [scheduler, read.result].map((one) =>
  JSON.stringify([one?.select(), one?.size(), one?.readings()]),
)
if (same[0] !== same[1]) throw new Error('What was read is not what was written')
console.log(
  `snapshot: ${(written.result.length / 2 ** 20).toFixed(1)} MiB, written in ${short(written.millis)} ms, read in ${short(read.millis)} ms`,
)
