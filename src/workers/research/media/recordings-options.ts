import { availableParallelism } from 'node:os'
import { maxRate, minRate } from '@fonds/sound'
import { systemClock } from '../../../async/system-clock.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { OpenBucket } from '../../buckets/bucket-file.ts'
import { downloadTries } from '../../http/tries.ts'

export interface RecordingsOptions {
  /** Created if missing. Several processes can share one. */
  readonly folder: string
  /** Hz. Default: 8000. */
  readonly rate?: number
  /** If present, `file` URLs must lie beneath one of them, links followed. */
  readonly folders?: readonly string[]
  /** If present, `s3` addresses must lie beneath one of these: `s3://bucket` or `s3://bucket/prefix`. */
  readonly buckets?: readonly string[]
  readonly openBucket: OpenBucket
  /** If present, no other host is contacted for media; as `parseHosts` returns them. */
  readonly hosts?: readonly string[]
  /** Concurrent decoders. Default: one per core. */
  readonly threads?: number
  /** Concurrent downloads: a slow server delays no other. Default: 8. */
  readonly downloads?: number
  readonly clock?: Clock
  /** Bytes of one media file. Default: 2 GiB. */
  readonly maxBytes?: number
  /** Bytes of all cached recordings. Default: 20 GiB. */
  readonly maxCached?: number
  /** Bytes of all files in the folder, including recordings in use; more is not decoded. Default: 40 GiB. */
  readonly maxHeld?: number
  /** Percentage of the disk that may be in use, by whatever; more is not written. Default: 100. */
  readonly roomPercent?: number
  /** Time for which a recording is used without asking the server whether it has changed. Default: a day. */
  readonly freshSeconds?: number
  /**
   * Time for which a recording counts as in use after its users, of any process, last touched it. Default: ten minutes.
   */
  readonly restSeconds?: number
  /** A server or a decoder without progress for so long is aborted. Default: 60 s. */
  readonly stallMillis?: number
  /** Attempts of a download without much progress. Default: 5. */
  readonly tries?: number
  /** Limit of the duration of sound. Default: 48 hours. */
  readonly maxSeconds?: number
}

const gibi = 1024 ** 3

const defaults = {
  rate: 8000,
  threads: availableParallelism(),
  downloads: 8,
  clock: systemClock,
  maxBytes: 2 * gibi,
  maxCached: 20 * gibi,
  maxHeld: 40 * gibi,
  roomPercent: 100,
  freshSeconds: 86_400,
  restSeconds: 600,
  stallMillis: 60_000,
  tries: downloadTries,
  maxSeconds: 48 * 3600,
}

export type RecordingsSettings = RecordingsOptions &
  Omit<typeof defaults, 'clock'> & { readonly clock: Clock }

/** Adds the defaults to the options. Throws `RangeError`. */
export const settingsOf = (options: RecordingsOptions): RecordingsSettings => {
  const settings = { ...defaults, ...options }
  const { threads, rate } = settings
  if (!Number.isSafeInteger(threads) || threads < 1)
    throw new RangeError(`threads: wants a whole number from 1, got ${threads}`)
  if (!Number.isSafeInteger(rate) || rate < minRate || rate > maxRate)
    throw new RangeError(`rate: wants a whole number of Hz from ${minRate} to ${maxRate}, got ${rate}`)
  return settings
}
