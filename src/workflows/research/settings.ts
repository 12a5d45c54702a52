import * as t from 'io-ts'
import { PositiveInteger, Text } from '../../domain/kernel/codecs.ts'
import { atStart, type ConfigOf, type Settings, somePaths } from '../../domain/kernel/setting.ts'
import { Hosts, type RoomConfig } from '../setting-codecs.ts'
import type { SystemConfig } from '../system/settings.ts'

/** Drift of tapes and clocks: a greater one would be another key. */
const DriftPercent = t.refinement(
  t.number,
  (n) => n >= 0 && n <= 1,
  'number from 0 to 1 (0.1: a tenth of a per cent, either way)',
)

export const researchSettings = {
  mediaFolders: {
    codec: Text,
    archive: somePaths('/srv/media'),
    description:
      'researchers open file addresses beneath these folders, and s3 addresses beneath these prefixes of buckets (s3://<bucket>/<prefix>), alone, with commas between (default: any; of what came over HTTP none)',
  },
  mediaHosts: {
    codec: Hosts,
    archive: atStart('.radio.example'),
    description:
      'researchers fetch media from these hosts alone, with commas between; .radio.example: it and all beneath it (default: any)',
  },
  mediaCacheBytes: {
    codec: PositiveInteger,
    default: 20 * 1024 ** 3,
    description: 'how much fetched and decoded media researchers keep in <home>/media',
  },
  mediaDecodedBytes: {
    codec: PositiveInteger,
    default: 40 * 1024 ** 3,
    description:
      'most that media may take there with those in use; a recording that would take more is refused',
  },
  researchDriftPercent: {
    codec: DriftPercent,
    default: 0,
    archive: atStart(0.25),
    description:
      'researchers look for clips that play up to so much faster or slower than the episode, 1 at most; each clip then costs up to 163 searches (0: none)',
  },
} satisfies Settings

/** Settings that research sees. */
export type ResearchConfig = SystemConfig & RoomConfig & ConfigOf<typeof researchSettings>
