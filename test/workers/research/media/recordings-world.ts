import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { createRecordings } from '#src/workers/research/media/recordings.ts'
import type { RecordingsOptions } from '#src/workers/research/media/recordings-options.ts'
import { MediaFailure, type Recording, type Recordings } from '#src/workers/research/recording.ts'
import { tone, wav } from '../../../../packages/sound/test/decode/tones.ts'
import { noBuckets } from '../../buckets/no-buckets.ts'
import { breakAt as breakWhenArrived, type MediaServer, startMediaServer } from './media-server.ts'

/** Time stands still until it is moved; pauses take none and are noted. */
const stillClock = () => {
  const clock = {
    time: Date.parse('2026-01-01T00:00:00.000Z'),
    pauses: [] as number[],
    now: () => new Date(clock.time).toISOString(),
    monotonic: () => clock.time,
    sleep: async (millis: number) => void clock.pauses.push(millis),
  }
  return clock
}

export const sound = wav(8000, [tone(8000, 2, 440)])
export const otherSound = wav(8000, [tone(8000, 1, 880)])
export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** A server of media, a clock, and recordings in a folder: for each test its own. */
export const useRecordings = () => {
  let root: string
  let folder: string
  let server: MediaServer
  let clock: ReturnType<typeof stillClock>
  let recordings: Recordings
  const begun: Recordings[] = []
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'fonds-media-'))
    folder = join(root, 'kept')
    server = await startMediaServer()
    clock = stillClock()
    start()
  })
  afterEach(async () => {
    await Promise.all(begun.splice(0).map((one) => one.close()))
    await server.close()
    await rm(root, { recursive: true, force: true, maxRetries: 10 })
  })

  const start = (options: Partial<RecordingsOptions> = {}) => {
    recordings = createRecordings({ folder, clock, openBucket: noBuckets, ...options })
    begun.push(recordings)
  }
  const media = (uri = server.uri) => ({ uri, type: 'audio/mpeg' })
  const hold = (signal = new AbortController().signal, progress = () => {}) => ({ signal, progress })
  const open = (uri = server.uri) => recordings.open(media(uri), hold())
  const failure = async (uri = server.uri): Promise<string> => {
    const error: unknown = await open(uri).catch((thrown: unknown) => thrown)
    if (!(error instanceof MediaFailure)) throw new Error('wanted a MediaFailure', { cause: error })
    expect(error.message.startsWith(`${uri} `)).toBe(true)
    return `${error.stage}: ${error.message.slice(uri.length + 1)}`
  }
  const kept = async (suffix: string) => (await readdir(folder)).filter((name) => name.endsWith(suffix))
  const expectSound = async (recording: Recording) => {
    expect(recording).toMatchObject({ rate: 8000, samples: 16_000, duration: 2e9, hash: sha256(sound) })
    expect(await readFile(recording.path)).toEqual(sound.subarray(44))
  }

  /** Until a part holds so many bytes. */
  const arrived = async (bytes: number): Promise<void> => {
    const sizes = () =>
      readdirSync(folder).map((name) => (name.endsWith('.part') ? sizeOf(join(folder, name)) : 0))
    for (let i = 0; i < 100_000 && Math.max(0, ...sizes()) < bytes; i++)
      await new Promise((resolve) => setImmediate(resolve))
  }
  const breakAt = (bytes: Buffer, at: number, etag?: string) => breakWhenArrived(bytes, at, arrived, etag)

  return {
    get root() {
      return root
    },
    get folder() {
      return folder
    },
    get clock() {
      return clock
    },
    get recordings() {
      return recordings
    },
    get server() {
      return server
    },
    set server(another: MediaServer) {
      server = another
    },
    ...{ start, media, hold, open, failure, kept, expectSound, arrived, breakAt },
  }
}
