import { mkdir, statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Broker } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Mailer } from '../../ports/mailer.ts'
import type { Minter } from '../../ports/minter.ts'
import type { ObjectStore } from '../../ports/object-store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { parseHosts } from '../http/hosts.ts'
import { atHome } from '../runtime/at-home.ts'
import { dropFolder } from './submit/drop-area.ts'

interface IngestSettings {
  readonly home: string
  /** Where jobs have their files until they are stored. */
  readonly ingestWork: string
  /** With commas between; where given, no other is read, or asked. */
  readonly ingestFolders?: string
  readonly ingestHosts?: string
  /** Whose word records a version: our views', or another system's on the topic `recorded`. */
  readonly ingestInventory: 'own' | 'other'
  readonly ingestShoulder: string
  readonly ingestThresholdPercent: number
  readonly ingestUnknownBytes: number
  /** How long the folders of completed jobs stay. */
  readonly ingestFolderDays: number
  /** Most that files of one submission over HTTP may take together. */
  readonly ingestUploadBytes: number
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

/** The setting is there but names none: then none is allowed, but for what came over HTTP. */
export const allowedFolders = ({ ingestFolders, home }: IngestSettings): readonly string[] | undefined =>
  ingestFolders === undefined
    ? undefined
    : [...namesIn(ingestFolders).map((folder) => resolve(atHome(folder))), dropFolder(home)]

export const allowedHosts = ({ ingestHosts }: IngestSettings): readonly string[] | undefined =>
  ingestHosts === undefined ? undefined : (parseHosts(ingestHosts) ?? [])

/** Bytes of the volume on which a folder lies. What only root may use counts as used. */
export const roomOf = async (folder: string): Promise<{ readonly total: number; readonly used: number }> => {
  await mkdir(folder, { recursive: true })
  const { blocks, bavail, bsize } = await statfs(folder)
  return { total: blocks * bsize, used: (blocks - bavail) * bsize }
}
