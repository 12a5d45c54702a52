import { join } from 'node:path'
import { isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { bucketPlaceIn, isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { NonNegativeInteger, PositiveInteger, Text } from '../../domain/kernel/codecs.ts'
import {
  atStart,
  type ConfigOf,
  type GivenValues,
  oneFolder,
  type Settings,
  somePaths,
  together,
} from '../../domain/kernel/setting.ts'
import { isTool } from '../../workers/ingest/characterise/words.ts'
import { parseDropPlaces } from '../../workers/ingest/drops/drop-places.ts'
import { Days, Hosts, HttpAddress, Percent, Seconds } from '../setting-codecs.ts'
import type { SystemConfig } from '../system/settings.ts'

/** A folder, or a prefix in a bucket. */
const StorageRoot = t.refinement(
  Text,
  (s) => !isBucketAddress(s) || isRight(bucketPlaceIn(s)),
  'folder, or prefix in a bucket (s3://<bucket>/<prefix>; no empty segments, no dots alone, 300 bytes at most)',
)
const Drops = t.refinement(
  Text,
  (s) => parseDropPlaces(s) !== undefined,
  'profiles and prefixes in buckets, none within another, with commas between (default=s3://archive/incoming)',
)
const Inventory = t.keyof({ own: null, other: null }, 'own or other')
const Tool = t.refinement(
  Text,
  isTool,
  'command line (words with blanks between, in quotes where they have blanks), or address without a password (http://<host>:<port>/<path>)',
)
/** Prefix of minted names: a NAAN, and letters that only one minter has. */
const Shoulder = t.refinement(
  t.string,
  (s) => /^ark:\/[0-9bcdfghjkmnpqrstvwxz]{5,16}\/[0-9bcdfghjkmnpqrstvwxz]{1,20}$/.test(s),
  'shoulder (ark:/99999/fk4: a NAAN, and digits and consonants without l)',
)

export const ingestSettings = {
  ingestWork: {
    codec: Text,
    default: (home: string) => join(home, 'ingest-work'),
    description: 'folder where jobs have their files until they are stored (default <home>/ingest-work)',
  },
  ingestStorage: {
    codec: StorageRoot,
    default: (home: string) => join(home, 'storage'),
    archive: oneFolder('/srv/archive/storage'),
    description:
      'OCFL storage root that objects are stored in: a folder, or a prefix in a bucket (s3://<bucket>/<prefix>) (default <home>/storage)',
  },
  ingestFolders: {
    codec: Text,
    archive: somePaths('/srv/incoming'),
    description:
      'ingest reads file addresses beneath these folders, and s3 addresses beneath these prefixes of buckets (s3://<bucket>/<prefix>), alone, with commas between (default: any; of what came over HTTP none)',
  },
  ingestDrops: {
    codec: Drops,
    archive: somePaths('default=s3://archive/incoming'),
    description:
      'where things are dropped that are to be taken in: <profile>=s3://<bucket>/<prefix>, with commas between (default: nowhere)',
  },
  ingestDropSeconds: {
    codec: Seconds,
    default: 600,
    archive: atStart(600),
    description:
      'how often these prefixes are looked at; a folder there is whole once nothing of it changed between two looks',
  },
  ingestHosts: {
    codec: Hosts,
    archive: atStart('.archive.example'),
    description:
      'ingest fetches from these hosts, and calls them back, alone, and indexing reads archive files of servers from them alone; with commas between, .archive.example: it and all beneath it, *: any public one (default: any; for what came over HTTP any public one)',
  },
  ingestInventory: {
    codec: Inventory,
    default: 'own',
    archive: atStart('own'),
    description:
      'own: a version is recorded once our own views answer with it; other: once another system says so on fonds.ingest.recorded',
  },
  ingestCharacterise: {
    codec: Tool,
    archive: atStart('file --brief --mime-type'),
    description:
      'what says of which format a file is: a command, run with its path last or for {path}, or a service that bytes are PUT to, or asked with {path} in its address (default: none)',
  },
  ingestCharacteriseSeconds: {
    codec: Seconds,
    default: 300,
    archive: atStart(300),
    description: 'how long that may take over one file',
  },
  ingestShoulder: {
    codec: Shoulder,
    default: 'ark:/99999/fk4',
    archive: atStart('ark:/12148/btv1'),
    description: 'what identifiers that are minted begin with (default ark:/99999/fk4, which is for tests)',
  },
  ingestThresholdPercent: {
    codec: Percent,
    default: 80,
    archive: atStart(80),
    description:
      'how much of a disk may be used for what others send; jobs that would take more of the volume of ingestWork wait',
  },
  ingestUnknownBytes: {
    codec: PositiveInteger,
    default: 1024 ** 3,
    archive: atStart(1_073_741_824),
    description: 'what a job of unknown size is taken to need',
  },
  ingestUploadBytes: {
    codec: PositiveInteger,
    default: 20 * 1024 ** 3,
    archive: atStart(21_474_836_480),
    description: 'most that the files of one submission over HTTP may take together',
  },
  ingestUploadEndpoint: {
    codec: HttpAddress,
    archive: atStart('https://s3.example.org'),
    description:
      'https://s3.example.org: where depositors reach the server of the storage’s bucket; uploads may go straight there by addresses that are signed for them (default: all uploads come here)',
  },
  ingestFailFolder: {
    codec: Text,
    description:
      'for test stacks: a file in this folder that is called as a step makes that step fail (default: none)',
  },
  ingestFolderDays: {
    codec: Days,
    default: 3,
    archive: atStart(3),
    description: 'days that the work folders of completed jobs stay',
  },
  ingestLookObjects: {
    codec: NonNegativeInteger,
    default: 100,
    description: 'objects of storage that each ingest worker holds against the log in a minute; 0: none',
  },
  ezidServer: {
    codec: HttpAddress,
    login: true,
    archive: atStart('https://ezid.cdlib.org'),
    description:
      'https://ezid.cdlib.org: identifiers are registered there (default: the log alone knows them)',
  },
  ezidUsername: { codec: Text, archive: atStart('archive'), description: 'name to log in to EZID with' },
  ezidPassword: {
    codec: Text,
    secret: true,
    archive: atStart('file:/run/secrets/ezid'),
    description: 'password to log in to EZID with',
  },
} satisfies Settings

/** Settings that ingest sees. */
export type IngestConfig = SystemConfig & ConfigOf<typeof ingestSettings>

export const ingestContradictions = (given: GivenValues): readonly string[] =>
  together(given, ['ezidServer', 'ezidUsername', 'ezidPassword'])
