import { createHash, randomUUID } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  createWriteStream,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSystemError } from '@fonds/toolbox'
import { makeFolderSync, sync } from '@fonds/toolbox/disk'
import type { IndexThreads } from './jobs.ts'
import type { Manifest, Run } from './manifest.ts'
import { deleteRun, linesFile } from './run-files.ts'
import { partName } from './run-parts.ts'
import type { LeftOut, MergeFiles, WriteFilesOptions } from './types.ts'

interface WriteIndexFiles extends WriteFilesOptions {
  /** The folder of the index. */
  readonly folder: string
  readonly paths: readonly string[]
  readonly manifest: Manifest
  readonly threads: IndexThreads
  readonly mergeFiles: MergeFiles | undefined
  readonly scanOf: (manifest: Manifest) => AsyncIterable<readonly Uint8Array[]>
}

/** The runs in each file, by its path, each with its ended publications. */
type Held = Readonly<Record<string, readonly string[]>>

/** A file that is to be replaced. */
interface Slot {
  readonly path: string
  /** Name of the part with its new content. */
  readonly draft: string
  /** Name of a part that also has its present content: lines that other files get meanwhile. */
  readonly between?: string
}

/**
 * See `SortedIndex.writeFiles`. Records the content of the files in the folder of the index; after a crash
 * they are written again.
 */
export const writeIndexFiles = async (given: WriteIndexFiles): Promise<void> => {
  const { folder, paths, manifest, pauseMillis = 5000, signal, leftOut } = given
  makeFolderSync(folder)
  const groups = groupsOf(manifest.live, paths.length)
  const before = readHeld(folder)
  const after: Held = Object.fromEntries(
    paths.map((path, i) => [resolve(path), [...groups[i]!.map(keyOf), ...keysOf(leftOut)]]),
  )
  const slots: Slot[] = []
  try {
    for (const [i, path] of paths.entries()) {
      signal?.throwIfAborted()
      const [held, wanted] = [before[resolve(path)], after[resolve(path)]!]
      if (existsSync(path) && held?.join() === wanted.join()) continue
      const draft = await draftOf(groups[i]!, given)
      const loses = paths.length > 1 && existsSync(path) && !held?.every((run) => wanted.includes(run))
      slots.push({ path, draft, ...(loses && { between: await united(path, draft, given) }) })
    }
    // A process that is stopped from here on leaves files without a record of their content, which are written again.
    if (slots.length > 0) writeHeld(folder, without(before, slots))
    for (const { path, draft, between } of slots) place(linesFile(folder, between ?? draft), path)
    const moved = slots.filter(({ between }) => between !== undefined)
    if (moved.length > 0) await sleep(pauseMillis, undefined, { ...(signal && { signal }) })
    for (const { path, draft } of moved) place(linesFile(folder, draft), path)
    if (slots.length > 0) writeHeld(folder, after)
  } finally {
    for (const { draft, between } of slots)
      for (const part of [draft, between ?? []].flat()) deleteRun(folder, part)
  }
}

/**
 * The largest runs have a file each, which then is a link to the run; all others share the last one. Posted
 * lines decide about one another whether they hold: if there are any, one file has all.
 */
const groupsOf = (live: readonly Run[], files: number): readonly (readonly Run[])[] => {
  const isPosted = live.some(({ posted }) => posted)
  const bySize = live.toSorted((a, b) => b.bytes - a.bytes)
  return Array.from({ length: files }, (_, i) => {
    if (isPosted) return i === 0 ? bySize : []
    return i < files - 1 ? bySize.slice(i, i + 1) : bySize.slice(i)
  })
}

const without = (held: Held, slots: readonly Slot[]): Held => {
  const replaced = new Set(slots.map(({ path }) => resolve(path)))
  return Object.fromEntries(Object.entries(held).filter(([path]) => !replaced.has(path)))
}

/** Stands for the lines that are left out. */
const keysOf = (leftOut: LeftOut | undefined): readonly string[] =>
  leftOut ? [`-${digestOf(leftOut.key)}`] : []

const keyOf = ({ name, ended, bad = [] }: Run): string =>
  [name, ...ended.map(([number]) => number), ...bad.map((block) => `-${block}`)].join(' ')

/** Returns true if all lines of the run hold. */
const isClean = ({ ended, posted, bad }: Run): boolean => ended.length === 0 && !posted && bad === undefined

/** Writes a part with the lines that hold in these runs. */
const draftOf = async (
  runs: readonly Run[],
  { folder, manifest, mergeFiles, scanOf, leftOut }: WriteIndexFiles,
) => {
  const draft = partName()
  const path = linesFile(folder, draft)
  const [only, ...others] = runs
  if (!only) writeFileSync(path, '')
  else if (!leftOut && others.length === 0 && isClean(only)) linkSync(linesFile(folder, only.name), path)
  else if (!leftOut && mergeFiles && runs.every(isClean))
    await mergeFiles(
      runs.map(({ name }) => linesFile(folder, name)),
      path,
    )
  else
    await pipeline(
      Readable.from(joined(withoutLines(scanOf({ ...manifest, live: [...runs] }), leftOut))),
      createWriteStream(path, { flags: 'wx', flush: true }),
    )
  return draft
}

const lineFeed = Buffer.from('\n')

/** Batches without the lines that are left out. */
export async function* withoutLines(
  batches: AsyncIterable<readonly Uint8Array[]>,
  leftOut: LeftOut | undefined,
): AsyncGenerator<readonly Uint8Array[]> {
  for await (const batch of batches) yield leftOut ? batch.filter((line) => !leftOut.has(line)) : batch
}

async function* joined(batches: AsyncIterable<readonly Uint8Array[]>): AsyncGenerator<Buffer> {
  for await (const batch of batches) yield Buffer.concat(batch.flatMap((line) => [line, lineFeed]))
}

/** Writes a part with the lines of a file and of another part. */
const united = async (path: string, draft: string, { folder, threads }: WriteIndexFiles): Promise<string> => {
  const [held, name] = [partName(), partName()]
  try {
    linkOrCopy(path, linesFile(folder, held))
    await threads.run({ kind: 'join', folder, parts: [held, draft], name })
    return name
  } finally {
    deleteRun(folder, held)
  }
}

/** Others may read the file, and nobody may change it: it may be a run of the index. */
const mode = 0o444

const folderMode = 0o755

/** Makes a folder that others can read, also if the umask keeps a home private. */
const makeSharedFolder = (folder: string): void => {
  const first = makeFolderSync(folder)
  if (first === undefined) return
  for (let made = resolve(folder); made.length >= first.length; made = dirname(made))
    chmodSync(made, folderMode)
}

const place = (source: string, path: string): void => {
  makeSharedFolder(dirname(path))
  const next = `${path}.${randomUUID()}.tmp`
  try {
    linkOrCopy(source, next)
    chmodSync(next, mode)
    renameSync(next, path)
  } finally {
    // A rename between two links of one file does nothing.
    rmSync(next, { force: true })
  }
  sync(dirname(path))
}

const linkOrCopy = (source: string, path: string): void => {
  try {
    linkSync(source, path)
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'].some((code) => isSystemError(error, code))) throw error
    copyFileSync(source, path)
    sync(path)
  }
}

const heldFile = (folder: string): string => join(folder, 'index-files')

/** Returns nothing if the record is missing or damaged: then all files are written again. */
const readHeld = (folder: string): Held => {
  try {
    const [digest, body = ''] = readFileSync(heldFile(folder), 'utf8').split('\n', 2)
    return digest === digestOf(body) ? JSON.parse(body) : {}
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return {}
    throw error
  }
}

const writeHeld = (folder: string, held: Held): void => {
  const body = JSON.stringify(held)
  const next = `${heldFile(folder)}.tmp`
  writeFileSync(next, `${digestOf(body)}\n${body}`, { flush: true })
  renameSync(next, heldFile(folder))
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')
