import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { makeFolder } from '@fonds/toolbox/disk'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { v4 as uuid } from 'uuid'
import manifest from '../../../package.json' with { type: 'json' }
import { withoutLogin } from '../../domain/kernel/server-address.ts'
import type { CopyTools } from '../../workflows/copy-files.ts'
import type { KeptFiles } from '../../workflows/kept-files.ts'
import type { Workflow } from '../../workflows/workflow.ts'
import { embeddedFile } from '../config/config.ts'
import { type Config, settings } from '../config/settings.ts'
import { filesBelow, sha256Of, sizeOf, sumLine, sumsName } from './checksums.ts'
import { type CopiedLog, copyLog } from './copy-log.ts'
import { noteBegun, noteLast, removeUnended, type Unended, unendedBackups } from './notes.ts'
import { type AboutBackup, aboutName, verifyBackup } from './verify.ts'

export const verifying = 'Reading it again'

export interface BackupOptions extends CopyTools {
  readonly config: Config
  readonly now: string
  /** They declare the files that are copied beside the log. */
  readonly workflows: readonly Pick<Workflow, 'kept'>[]
  /** Names of files that are copied by other means. */
  readonly without: readonly string[]
  /** Called when the remains of a killed backup were removed. */
  onRemoved(left: Pick<Unended, 'at' | 'partial'>): void
  /** Called with the error if the home cannot record this backup. */
  onNotNoted(error: unknown): void
  /** Called when another part begins. */
  onPart(label: string, totalBytes?: number): void
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
    return left(`${target} exists and is not empty; name another folder`)
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
    options.onPart(verifying, about.bytes)
    const { faults } = await verifyBackup(partial, { ...options, onTotal: () => {} })
    if (faults.length > 0) return left(`the backup does not read back as it was written: ${faults[0]}`)
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

const fill = async (folder: string, options: BackupOptions): Promise<AboutBackup> => {
  const { config, onPart, workflows, without } = options
  const all = workflows.flatMap(({ kept }) => kept?.(config) ?? [])
  const kept = all.filter(({ name, copy }) => copy && !without.includes(name))
  const copyThose = async (...when: readonly KeptFiles['copied'][]) => {
    for (const { name, from, label, copied, copy } of kept) {
      if (!when.includes(copied)) continue
      if (label !== undefined) onPart(`Copying ${label}`)
      await copy?.(from, join(folder, name), options)
    }
  }
  await copyThose('before', 'around')
  const file = embeddedFile(config)
  const hasLog = file !== undefined && existsSync(file)
  onPart('Copying the log', hasLog ? (await stat(file)).size : 0)
  const log: CopiedLog = hasLog ? await copyLog(file, join(folder, 'fonds.db'), options) : {}
  await copyThose('around', 'after')
  const parts = kept.filter(({ label }) => label !== undefined).map(({ name, from }) => [name, from])
  return writeSums(folder, options, {
    ...log,
    from: { ...(hasLog && { 'fonds.db': file }), ...Object.fromEntries(parts) },
    elsewhere: [
      ...onServers(config),
      ...all.flatMap((one) => (kept.includes(one) ? [] : (one.otherwise ?? []))),
    ],
  })
}

const writeSums = async (
  folder: string,
  { config, now, signal, onBytes, onPart }: BackupOptions,
  { from, elsewhere, ...log }: CopiedLog & Pick<AboutBackup, 'from' | 'elsewhere'>,
): Promise<AboutBackup> => {
  const paths = await filesBelow(folder)
  const bytes = await sizeOf(folder, paths)
  onPart('Adding checksums', bytes)
  const about: AboutBackup = {
    format: 1,
    fonds: manifest.version,
    at: now,
    files: paths.length,
    bytes,
    from,
    elsewhere,
    settings: givenSettings(config),
    ...log,
  }
  await writeFile(join(folder, aboutName), `${JSON.stringify(about, undefined, 2)}\n`, { flush: true })
  const lines: string[] = []
  for (const path of [...paths, aboutName].sort())
    lines.push(sumLine(await sha256Of(join(folder, path), signal, onBytes), path))
  await writeFile(join(folder, sumsName), lines.join(''), { flush: true })
  await syncFolder(folder)
  return about
}

const onServers = ({ eventStore, broker }: Config): readonly string[] => [
  ...(eventStore.startsWith('sqlite:')
    ? []
    : [`the log is at ${withoutLogin(eventStore)}: back it up as that server's manual says, before this`]),
  ...(broker === 'embedded'
    ? []
    : [`the topics are at ${withoutLogin(broker)}: keep messages longer than the time between two backups`]),
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
