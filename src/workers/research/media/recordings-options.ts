import { availableParallelism } from 'node:os'
import { maxRate, minRate } from '@fonds/sound'
import { systemClock } from '../../../async/system-clock.ts'
import type { Clock } from '../../../ports/clock.ts'
import { downloadTries } from '../../http/tries.ts'

export interface RecordingsOptions {
  /** Created where it does not exist. Several processes can share one. */
  readonly folder: string
  /** Hz. Default: 8000. */
  readonly rate?: number
  /** Where given, `file` addresses must lie beneath one of them, links followed. */
  readonly folders?: readonly string[]
  /** Where given, no other host is asked for media; as `parseHosts` gives them. */
  readonly hosts?: readonly string[]
  /** Concurrent decoders. Default: one a core. */
  readonly threads?: number
  /** Concurrent downloads: a slow server holds up no other. Default: 8. */
  readonly downloads?: number
  readonly clock?: Clock
  /** Of one media file. Default: 2 GiB. */
  readonly maxBytes?: number
  /** Of all that is kept. Default: 20 GiB. */
  readonly maxCached?: number
  /** Of all that lies there, what is in use too; more is not decoded. Default: 40 GiB. */
  readonly maxHeld?: number
  /** So much of the disk may be used, by whomever; more is not written. Default: 100. */
  readonly roomPercent?: number
  /** How long a recording is taken as it is before the server is asked whether it has changed. Default: a day. */
  readonly freshSeconds?: number
  /** How long a recording counts as in use when its users, of any process, touch it no more. Default: ten minutes. */
  readonly restSeconds?: number
  /** A server or a decoder without progress for so long is given up. Default: 60 s. */
  readonly stallMillis?: number
  /** Attempts of a download without much progress. Default: 5. */
  readonly tries?: number
  /** Of sound. Default: 48 hours. */
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

/** The options with their defaults. Throws `RangeError`. */
export const settingsOf = (options: RecordingsOptions): RecordingsSettings => {
  const settings = { ...defaults, ...options }
  const { threads, rate } = settings
  if (!Number.isSafeInteger(threads) || threads < 1)
    throw new RangeError(`threads: wants a whole number from 1, got ${threads}`)
  if (!Number.isSafeInteger(rate) || rate < minRate || rate > maxRate)
    throw new RangeError(`rate: wants a whole number of Hz from ${minRate} to ${maxRate}, got ${rate}`)
  return settings
}
