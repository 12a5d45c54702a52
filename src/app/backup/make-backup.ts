import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { makeFolder } from '@fonds/toolbox/disk'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { v4 as uuid } from 'uuid'
import manifest from '../../../package.json' with { type: 'json' }
import { withoutLogin } from '../../domain/kernel/server-address.ts'
import { siteFile } from '../../workers/ingest/sites.ts'
import { dropFolder } from '../../workers/ingest/submit/drop-area.ts'
import { uploadsFolder } from '../../workers/research/media/allowed-folders.ts'
import { type CopyTools, copyFolder, copyOne } from '../../workflows/copy-files.ts'
import { copyIndex } from '../../workflows/indexing/copy-index.ts'
import { copyObjects } from '../../workflows/ingest/copy-objects.ts'
import { embeddedFile } from '../config/config.ts'
import { type Config, settings } from '../config/settings.ts'
import { filesBelow, sha256Of, sizeOf, sumLine, sumsName } from './checksums.ts'
import { type CopiedLog, copyLog } from './copy-log.ts'
import { noteBegun, noteLast, removeUnended, type Unended, unendedBackups } from './notes.ts'
import { type AboutBackup, aboutName, verifyBackup } from './verify.ts'

export interface BackupOptions extends CopyTools {
  readonly config: Config
  readonly now: string
  /** False: the storage root is copied by other means. */
  readonly withStorage: boolean
  /** Called when the remains of a killed backup were removed. */
  onRemoved(left: Pick<Unended, 'at' | 'partial'>): void
  /** Called with the error if the home cannot record this backup. */
  onNotNoted(error: unknown): void
  /** Called when another part begins. */
  onPart(
    part: 'log' | 'index' | 'drop' | 'clips' | 'storage' | 'checksums' | 'verify',
    totalBytes?: number,
  ): void
}

/**
 * Copies the parts of a home that cannot be rebuilt, while Fonds runs. The folder gets its name when all of it is on
 * disk, compared with its checksums: remains of a crash have another name. Left: why there is no backup. Throws
 * `UnavailableError`.
 */
export const makeBackup = async (
  to: string,
  options: BackupOptions,
): Promise<Either<string, AboutBackup>> => {
  const target = resolve(to)
  if (existsSync(target) && (await readdir(target)).length > 0)
    return left(`${target} is there already, and holds something: name another folder`)
  const { home } = options.config
  for (const unended of await unendedBackups(home))
    if (unended.isAbandoned && (await removeUnended(unended))) options.onRemoved(unended)
  const id = uuid()
  const partial = join(dirname(target), `.${id}.fonds-backup-partial`)
  await makeFolder(dirname(target))
  const noted = existsSync(home)
    ? await noteBegun(home, { id, at: options.now, partial }).catch(options.onNotNoted)
    : undefined
  await mkdir(partial)
  try {
    const about = await fill(partial, options)
    if (about.files === 0)
      return left(`${options.config.home} holds nothing to back up: is it the right home (--home)?`)
    options.onPart('verify', about.bytes)
    const { faults } = await verifyBackup(partial, { ...options, onTotal: () => {} })
    if (faults.length > 0) return left(`what was written is not what can be read: ${faults[0]}`)
    await rm(target, { recursive: true, force: true })
    await rename(partial, target)
    await syncFolder(dirname(target))
    const { at, position } = about
    await noteLast(home, { at, folder: target, ...(position !== undefined && { position }) }).catch(
      options.onNotNoted,
    )
    return right(about)
  } finally {
    await rm(partial, { recursive: true, force: true })
    await noted?.end()
  }
}

/**
 * The index first, for it must not be ahead of the log; clips and objects last, for those that the log records as
 * stored must exist.
 */
const fill = async (folder: string, options: BackupOptions): Promise<AboutBackup> => {
  const { config, onPart, withStorage } = options
  const drop = dropFolder(config.home)
  // Partial uploads are in a folder that begins with a dot.
  const copyDrop = () => copyFolder(drop, join(folder, 'drop'), options, (name) => !name.startsWith('.'))
  onPart('index')
  await copyIndex(config.indexingFolder, join(folder, 'index'), options)
  onPart('drop')
  // Once before the log, for files that are ingested meanwhile; once behind it, for files that arrive meanwhile.
  await copyDrop()
  // The holder of the site works on uploads that wait.
  const site = join(config.home, siteFile)
  if (existsSync(site)) await copyOne(site, join(folder, siteFile), options)
  const file = embeddedFile(config)
  const hasLog = file !== undefined && existsSync(file)
  onPart('log', hasLog ? (await stat(file)).size : 0)
  const copied: CopiedLog = hasLog ? await copyLog(file, join(folder, 'fonds.db'), options) : {}
  await copyDrop()
  onPart('clips')
  const clips = uploadsFolder(config)
  await copyFolder(clips, join(folder, 'clips'), options, (name) => !name.endsWith('.part'))
  onPart('storage')
  if (withStorage) await copyObjects(config.ingestStorage, join(folder, 'storage'), options)
  return writeSums(folder, options, copied, {
    ...(hasLog && { 'fonds.db': file }),
    index: config.indexingFolder,
    drop,
    clips,
    ...(withStorage && { storage: config.ingestStorage }),
  })
}

const writeSums = async (
  folder: string,
  { config, now, signal, onBytes, onPart, withStorage }: BackupOptions,
  copied: CopiedLog,
  from: AboutBackup['from'],
): Promise<AboutBackup> => {
  const paths = await filesBelow(folder)
  const bytes = await sizeOf(folder, paths)
  onPart('checksums', bytes)
  const about: AboutBackup = {
    format: 1,
    fonds: manifest.version,
    at: now,
    files: paths.length,
    bytes,
    from,
    elsewhere: elsewhere(config, withStorage),
    settings: givenSettings(config),
    ...copied,
  }
  await writeFile(join(folder, aboutName), `${JSON.stringify(about, undefined, 2)}\n`, { flush: true })
  const lines: string[] = []
  for (const path of [...paths, aboutName].sort())
    lines.push(sumLine(await sha256Of(join(folder, path), signal, onBytes), path))
  await writeFile(join(folder, sumsName), lines.join(''), { flush: true })
  await syncFolder(folder)
  return about
}

const elsewhere = ({ eventStore, broker, ingestStorage }: Config, withStorage: boolean): string[] => [
  ...(eventStore.startsWith('sqlite:')
    ? []
    : [`the log is at ${withoutLogin(eventStore)}: back it up as that server's manual says, before this`]),
  ...(broker === 'embedded'
    ? []
    : [`the topics are at ${withoutLogin(broker)}: keep messages longer than the time between two backups`]),
  ...(withStorage ? [] : [`the objects are in ${ingestStorage}: copy them behind this backup`]),
]

const givenSettings = (config: Config): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(config).flatMap(([name, value]) => {
      const words = settings[name as keyof Config]
      if (words.secret) return []
      return [[name, words.login ? withoutLogin(String(value)) : value]]
    }),
  )

const syncFolder = async (folder: string): Promise<void> => {
  const file = await open(folder, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
