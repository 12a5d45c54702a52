import type { Finding, SearchFailure } from '@fonds/sound'
import { pino } from 'pino'
import { ClipResearchedMessage, ResearchFailedMessage } from '#src/domain/research/result-messages.ts'
import type { Engine, Gaps } from '#src/domain/research/terms.ts'
import type { Job } from '#src/workers/research/job.ts'
import type { MediaAddress, Recording, Recordings } from '#src/workers/research/recording.ts'
import type { Report } from '#src/workers/research/report.ts'
import type { SearchContext, Searcher, WantedClip } from '#src/workers/research/searcher.ts'

export const silent = pino({ level: 'silent' })

export const engine: Engine = { name: 'fake', version: '1', settings: 'none' }
const second = 1_000_000_000

export const recording = (uri: string): Recording => ({
  path: `/media/${uri}`,
  rate: 8000,
  samples: 8000,
  duration: uri.includes('episode') ? 3600 * second : 3 * second,
  hash: `hash of ${uri}`,
})

export const mediaOf = (id: string): MediaAddress => ({
  uri: `https://media.example/${id}`,
  type: 'audio/mpeg',
})
export const jobOf = (...clips: readonly string[]): Job => ({
  lease: 'lease-1',
  episode: 'episode-1',
  media: mediaOf('episode-1'),
  clips: clips.map((id) => ({ id, media: mediaOf(id) })),
})

/** Rejects as soon as the signal aborts, as whatever hears it does. */
const orAborted = <A>(work: Promise<A>, signal: AbortSignal): Promise<A> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject)
  })

/** Every medium can be had at once, unless a test says what comes of it. */
export const fakeRecordings = () => {
  const opened: string[] = []
  const aborted: string[] = []
  const becomes = new Map<string, Promise<Recording>>()
  const idOf = ({ uri }: MediaAddress) => uri.split('/').at(-1)!
  let closed = false
  const recordings: Recordings = {
    open: async (media, { signal }) => {
      const id = idOf(media)
      opened.push(id)
      signal.addEventListener('abort', () => aborted.push(id), { once: true })
      return orAborted(becomes.get(id) ?? Promise.resolve(recording(id)), signal)
    },
    has: () => false,
    close: async () => {
      closed = true
    },
  }
  return {
    ...recordings,
    opened,
    aborted,
    closed: () => closed,
    fails: (id: string, error: Error) => {
      const failed = Promise.reject<Recording>(error)
      failed.catch(() => {})
      becomes.set(id, failed)
    },
    /** A part of it cannot be decoded. */
    lacks: (id: string, gaps: Gaps) => becomes.set(id, Promise.resolve({ ...recording(id), gaps })),
    /** It is not there before the test says so. */
    holds: (id: string) => {
      const gate = Promise.withResolvers<Recording>()
      becomes.set(id, gate.promise)
      return () => gate.resolve(recording(id))
    },
  }
}

/** Finds each clip at once at its tenth second, unless a test says otherwise. */
export const fakeSearcher = () => {
  const batches: string[][] = []
  const becomes = new Map<string, () => Promise<Finding | SearchFailure | undefined>>()
  let ended = 0
  let closed = false
  let together = false
  const found = (clip: string): Finding => ({
    clip,
    matches: [{ offset: 10 * second, score: 0.9 }],
    bestScore: 0.9,
  })
  const searcher: Searcher = {
    engine,
    rate: 8000,
    search: async function* (
      _episode: Recording,
      clips: readonly WantedClip[],
      { signal, winding }: SearchContext,
    ) {
      batches.push(clips.map(({ id }) => id))
      try {
        for (const { id } of clips) {
          if (winding?.aborted && !together) return
          const one = await orAborted(becomes.get(id)?.() ?? Promise.resolve(found(id)), signal)
          if (one) yield one
        }
      } finally {
        ended++
      }
    },
    close: async () => {
      closed = true
    },
  }
  return {
    ...searcher,
    batches,
    /** Searches that have ended, also those that nobody wanted to the end. */
    ended: () => ended,
    closed: () => closed,
    /** Clips of one search are one group: all are under way at once. */
    groups: () => {
      together = true
    },
    comesTo: (id: string, outcome: () => Finding | SearchFailure | undefined) =>
      becomes.set(id, async () => outcome()),
    holds: (id: string) => {
      const gate = Promise.withResolvers<Finding>()
      becomes.set(id, () => gate.promise)
      return () => gate.resolve(found(id))
    },
  }
}

export const fakeTools = () => ({
  recordings: fakeRecordings(),
  searcher: fakeSearcher(),
  mediaTypes: ['audio/mpeg'],
  folders: [],
})

/** What was sent, in a line each: `found a`, `absent b final`, `failed clip c decode`, `released`. Refuses what no topic would take. */
export const lineOf = (report: Report): string => {
  switch (report.type) {
    case 'lease.released':
      return `released (${report.data.reason})`
    case 'clip.researched': {
      if (!ClipResearchedMessage.is(report.data)) throw new Error('not a result')
      const what = report.data.matches.length > 0 ? 'found' : 'absent'
      return `${what} ${report.data.clip}${report.data.final ? ' final' : ''}`
    }
    case 'research.failed': {
      if (!ResearchFailedMessage.is(report.data)) throw new Error('not a failure')
      const { subject, clip, stage, final } = report.data
      return ['failed', subject, ...(clip ? [clip] : []), stage, ...(final ? ['final'] : [])].join(' ')
    }
  }
}
