import { parseHosts } from '@fonds/download'
import * as t from 'io-ts'
import { PositiveInteger, Text } from '../domain/kernel/codecs.ts'

/* Codecs of settings that several workflows have; errors quote their names. */

export const Hosts = t.refinement(
  Text,
  (s) => parseHosts(s) !== undefined,
  'names of hosts with commas between (media.example for one host, .media.example for all beneath it, too)',
)
/** A day at most: timers hold no more than 24 days, and a longer wait is a typing error. */
export const Seconds = t.refinement(
  PositiveInteger,
  (n) => n <= 86_400,
  'whole number of seconds from 1 to 86400',
)
export const Days = t.refinement(PositiveInteger, (n) => n <= 36_500, 'whole number of days from 1 to 36500')
export const Percent = t.refinement(PositiveInteger, (n) => n <= 100, 'whole number from 1 to 100')
export const HttpAddress = t.refinement(
  t.string,
  (s) => /^https?:\/\/[^\s@]+$/.test(s) && URL.canParse(s),
  'address (https://<host>; a name and a password have settings of their own)',
)

/** A setting of ingest that holds for all workflows that write to a disk for others. */
export interface RoomConfig {
  readonly ingestThresholdPercent: number
}

/** Where ingest stores objects: a folder, or `s3://bucket/prefix`. */
export interface StorageConfig {
  readonly ingestStorage: string
}

export const OnOff = t.keyof({ on: null, off: null }, 'on or off')
