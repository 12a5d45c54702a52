import { resolve } from 'node:path'
import { parseHosts } from '@fonds/download'
import type { Logger } from 'pino'
import { isBeneath } from '../../async/is-beneath.ts'
import { makeFolder } from '../../async/make-folder.ts'
import type { Volume } from '../../domain/ingest/room.ts'
import type { Broker } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Mailer } from '../../ports/mailer.ts'
import type { Minter } from '../../ports/minter.ts'
import type { ObjectStore } from '../../ports/object-store.ts'
import type { StorageRoot } from '../../ports/storage-root.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { atHome } from '../runtime/at-home.ts'
import { volumeOf } from '../runtime/room.ts'
import { createSites, type Sites } from './sites.ts'
import { dropFolder, dropOf } from './submit/drop-area.ts'

export interface IngestSettings {
  readonly home: string
  /** Where jobs have their files until they are stored. */
  readonly ingestWork: string
  /** The storage root. */
  readonly ingestStorage: string
  /** With commas between; where given, no other is read, or asked. */
  readonly ingestFolders?: string
  readonly ingestHosts?: string
  /** In a test stack: files in it make steps fail (N14). */
  readonly ingestFailFolder?: string
  /** Whose word records a version: our views', or another system's on the topic `recorded`. */
  readonly ingestInventory: 'own' | 'other'
  readonly ingestShoulder: string
  readonly ingestThresholdPercent: number
  readonly ingestUnknownBytes: number
  /** How long the folders of completed jobs stay. */
  readonly ingestFolderDays: number
  /** Objects of storage that are held against the log each minute; 0: none. */
  readonly ingestLookObjects: number
  /** Most that files of one submission over HTTP may take together. */
  readonly ingestUploadBytes: number
  /** What says of which format files are: a command line, or the address of a service. */
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
  /** Opened when something is to be stored, or read, for the first time. */
  readonly objectStore: () => Promise<ObjectStore>
  /** Where the object store is. */
  readonly storageRoot: StorageRoot
  readonly minter: Minter
  /** Undefined where no mail server is set. */
  readonly mailer: Mailer | undefined
}

const namesIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

export const workFolder = ({ ingestWork }: IngestSettings): string => resolve(atHome(ingestWork))

export const storageFolder = ({ ingestStorage }: IngestSettings): string => resolve(atHome(ingestStorage))

export const failFolder = ({ ingestFailFolder }: IngestSettings): string | undefined =>
  ingestFailFolder === undefined ? undefined : resolve(atHome(ingestFailFolder))

/** The setting is there but names none: then none is allowed, but for what came over HTTP. */
export const allowedFolders = (config: IngestSettings): readonly string[] | undefined =>
  config.ingestFolders === undefined ? undefined : [...namedFolders(config), dropFolder(config.home)]

/** A stranger's submission: what the setting names, and what came with it. */
export const foreignFolders = (config: IngestSettings, batch: string): readonly string[] => [
  ...namedFolders(config),
  dropOf(config.home, batch),
]

/** Those of the setting. */
export const namedFolders = ({ ingestFolders = '' }: IngestSettings): readonly string[] =>
  namesIn(ingestFolders).map((folder) => resolve(atHome(folder)))

export const allowedHosts = ({ ingestHosts }: IngestSettings): readonly string[] | undefined =>
  ingestHosts === undefined ? undefined : (parseHosts(ingestHosts) ?? [])

/** Bytes of the volume on which a folder lies. */
export const roomOf = async (folder: string): Promise<Volume> => {
  await makeFolder(folder)
  return volumeOf(folder)
}

/** Which files one node alone has, and which of its own. */
export const sitesOf = ({
  config,
  clock,
}: Pick<IngesterContext, 'clock'> & { readonly config: IngestSettings }): Sites =>
  createSites({ home: config.home, work: workFolder(config) }, clock)

/** Undefined where it is not to be seen from here. Beneath the home it is made when it is needed. */
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
