import type { Config } from './settings.ts'

/** A setting that is the archive's: it may be set in the log, and all processes at work have the same. */
export interface ArchiveSetting {
  /** `at once`: running nodes take a change up by themselves. `start`: at their next start. */
  readonly takesEffect: 'at once' | 'start'
  readonly example: string | number
  /** It names folders or files: processes of one home compare it, others may see one volume at another place. */
  readonly isPath?: true
}

const atOnce = (example: string | number): ArchiveSetting => ({ takesEffect: 'at once', example })
const atStart = (example: string | number): ArchiveSetting => ({ takesEffect: 'start', example })
const folder = (example: string): ArchiveSetting => ({ takesEffect: 'start', example, isPath: true })

/** All others are a node's: where it listens, its roles and threads, its log and broker, its home and work folder. */
export const archiveSettings = {
  ingestStorage: folder('/srv/archive/storage'),
  ingestInventory: atStart('own'),
  ingestShoulder: atStart('ark:/12148/btv1'),
  ingestThresholdPercent: atStart(80),
  ingestUnknownBytes: atStart(1_073_741_824),
  ingestFolderDays: atStart(3),
  ingestUploadBytes: atStart(21_474_836_480),
  ingestFolders: folder('/srv/incoming'),
  ingestHosts: atStart('.archive.example'),
  ingestCharacterise: atStart('file --brief --mime-type'),
  ingestCharacteriseSeconds: atStart(300),
  indexingSources: { ...atStart('main=/srv/warcs'), isPath: true },
  indexingPollSeconds: atOnce(900),
  indexingGraceSeconds: atStart(600),
  indexingRetrySeconds: atStart(900),
  indexingAttempts: atStart(3),
  indexingOrder: atStart('newest-first'),
  indexingFolder: folder('/srv/archive/index'),
  indexingFormat: atStart('cdx-11'),
  indexingAggregateSeconds: atStart(600),
  indexingFiles: folder('/srv/cdx/main.cdx'),
  indexingScanLines: atOnce(1_000_000),
  indexingReplay: atOnce('http://127.0.0.1:8080/web/'),
  mediaFolders: folder('/srv/media'),
  mediaHosts: atStart('.radio.example'),
  researchDriftPercent: atStart(0.25),
  mailServer: atStart('smtp://mail.archive.example:25'),
  mailFrom: atStart('archive@archive.example'),
  mailUsername: atStart('archive'),
  mailPassword: atStart('file:/run/secrets/mail'),
  noticesMail: atStart('ada@archive.example'),
  noticesWebhook: atStart('env:ARCHIVE_WEBHOOK'),
  noticesQuiet: atOnce('22:00-07:00'),
  noticesAfterSeconds: atOnce(300),
  ezidServer: atStart('https://ezid.cdlib.org'),
  ezidUsername: atStart('archive'),
  ezidPassword: atStart('file:/run/secrets/ezid'),
} as const satisfies Partial<Record<keyof Config, ArchiveSetting>>

export type ArchiveKey = keyof typeof archiveSettings

export const archiveKeys = Object.keys(archiveSettings) as readonly ArchiveKey[]

export const isArchiveKey = (name: string): name is ArchiveKey => Object.hasOwn(archiveSettings, name)

export const archiveSetting = (key: ArchiveKey): ArchiveSetting => archiveSettings[key]
