import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseHosts } from '@fonds/download'
import { makeFolder } from '@fonds/toolbox/disk'
import type { Logger } from 'pino'
import { isBeneath } from '../../async/is-beneath.ts'
import type { Volume } from '../../domain/ingest/room.ts'
import { uploadPlace } from '../../domain/ingest/uploads.ts'
import { type BucketPlace, bucketAddress, isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import type { Broker } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Mailer } from '../../ports/mailer.ts'
import type { Minter } from '../../ports/minter.ts'
import type { ObjectStore } from '../../ports/object-store.ts'
import type { PersonalValues } from '../../ports/personal-values.ts'
import type { StorageRoot } from '../../ports/storage-root.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { UploadArea } from '../../ports/upload-area.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { OpenBucket } from '../buckets/bucket-file.ts'
import { atHome } from '../runtime/at-home.ts'
import { volumeOf } from '../runtime/room.ts'
import { dropAddresses } from './drops/drop-places.ts'
import { createSites, type Sites } from './sites.ts'
import { dropFolder, dropOf } from './submit/drop-area.ts'

export interface IngestSettings {
  readonly home: string
  /** Folder of the jobs' files until they are stored. */
  readonly ingestWork: string
  /** The storage root: a folder, or `s3://bucket/prefix`. */
  readonly ingestStorage: string
  /** Comma-separated; if present, no other folder is read, and no other host is contacted. */
  readonly ingestFolders?: string
  readonly ingestHosts?: string
  /** Prefixes in buckets where depositors put things: `<profile>=s3://bucket/prefix`, comma-separated. */
  readonly ingestDrops?: string
  /** In a test environment: files in it make steps fail (N14). */
  readonly ingestFailFolder?: string
  /** The inventory that records a version: our own views, or another system, which reports on the topic `recorded`. */
  readonly ingestInventory: 'own' | 'other'
  readonly ingestShoulder: string
  readonly ingestThresholdPercent: number
  readonly ingestUnknownBytes: number
  /** Retention of the folders of completed jobs, in days. */
  readonly ingestFolderDays: number
  /** Stored objects that are compared with the log each minute; 0: none. */
  readonly ingestLookObjects: number
  /** Limit of the total size of the files of one submission over HTTP. */
  readonly ingestUploadBytes: number
  /** Tool that identifies file formats: a command line, or the URL of a service. */
  readonly ingestCharacterise?: string
  readonly ingestCharacteriseSeconds: number
}

export interface IngesterContext {
  readonly config: IngestSettings & {
    readonly stallSeconds: number
    readonly idleMinSeconds: number
    readonly idleMaxSeconds: number
  }
  readonly broker: Broker
  readonly viewStore: ViewStore
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly log: Logger
  /** Opened at its first use. */
  readonly objectStore: () => Promise<ObjectStore>
  /** Opens content at `s3://bucket`. */
  readonly openContent: OpenBucket
  /** Location of the object store. */
  readonly storageRoot: StorageRoot
  readonly openUploads: (place: BucketPlace) => Promise<UploadArea>
  readonly minter: Minter
  /** Values that submissions have references of. */
  readonly personal: PersonalValues
  /** Undefined if no mail server is set. */
  readonly mailer: Mailer | undefined
}

const namesIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

export const workFolder = ({ ingestWork }: IngestSettings): string => resolve(atHome(ingestWork))

/** None if objects are stored in a bucket. */
export const storageFolders = ({ ingestStorage }: IngestSettings): readonly string[] =>
  isBucketAddress(ingestStorage) ? [] : [resolve(atHome(ingestStorage))]

export const failFolder = ({ ingestFailFolder }: IngestSettings): string | undefined =>
  ingestFailFolder === undefined ? undefined : resolve(atHome(ingestFailFolder))

/** Undefined if the setting is absent: any folder. If it is empty, only the folder of uploads over HTTP is allowed. */
export const allowedFolders = (config: IngestSettings): readonly string[] | undefined =>
  config.ingestFolders === undefined
    ? undefined
    : [
        ...namedFolders(config),
        dropFolder(config.home),
        ...uploadAddresses(config),
        ...dropAddresses(config.ingestDrops),
      ]

/** Folders for a stranger's submission: those of the settings, and its own uploads. */
export const foreignFolders = (config: IngestSettings, batch: string): readonly string[] => [
  ...namedFolders(config),
  dropOf(config.home, batch),
  ...uploadAddresses(config).map((address) => `${address}/${batch}`),
  ...dropAddresses(config.ingestDrops),
]

/** Uploads over HTTP, if the storage root is in a bucket. */
export const uploadsOf = async ({
  config,
  openUploads,
}: Pick<IngesterContext, 'openUploads'> & { readonly config: IngestSettings }): Promise<
  UploadArea | undefined
> => {
  const place = uploadPlace(config.ingestStorage)
  return place && openUploads(place)
}

/** Where they lie, if the storage root is in a bucket. */
const uploadAddresses = ({ ingestStorage }: IngestSettings): readonly string[] => {
  const place = uploadPlace(ingestStorage)
  return place ? [bucketAddress(place)] : []
}

/** Folders of the setting, and prefixes of buckets: `s3://bucket/prefix`. */
export const namedFolders = ({ ingestFolders = '' }: IngestSettings): readonly string[] =>
  namesIn(ingestFolders).map((folder) => (isBucketAddress(folder) ? folder : resolve(atHome(folder))))

export const allowedHosts = ({ ingestHosts }: IngestSettings): readonly string[] | undefined =>
  ingestHosts === undefined ? undefined : (parseHosts(ingestHosts) ?? [])

/** Returns size and use, in bytes, of the volume of a folder, which is created if missing. */
export const roomOf = async (folder: string): Promise<Volume> => {
  await makeFolder(folder)
  return volumeOf(folder)
}

/** Sites of this process: they say which files only one node has. */
export const sitesOf = (config: IngestSettings): Sites =>
  createSites({ home: config.home, work: workFolder(config) })

/** Undefined if the volume is not visible from here. Beneath the home, the folder is created when it is needed. */
export const workVolume = async (config: IngestSettings): Promise<Volume | undefined> => {
  const folder = workFolder(config)
  const home = resolve(config.home)
  const places = isBeneath(folder, [home]) ? [folder, home] : [folder]
  for (const place of places) {
    const volume = await volumeOf(place).catch(() => undefined)
    if (volume) return volume
  }
  return undefined
}

/** Undefined if objects are stored in a bucket, or if the folder is not there. */
export const storageVolume = async (config: IngestSettings): Promise<Volume | undefined> => {
  const [folder] = storageFolders(config)
  return folder === undefined || !existsSync(folder) ? undefined : volumeOf(folder).catch(() => undefined)
}
