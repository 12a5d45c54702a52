import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import {
  type CheckmColumn,
  type CheckmFile,
  checkmFileOf,
  checksumName,
  InvalidCheckm,
  readCheckm,
} from '@fonds/bag'
import { sideBySide } from '../../../async/side-by-side.ts'
import type { TaskContext } from '../../../async/task-context.ts'
import type { ObjectFile } from '../../../domain/ingest/payload.ts'
import { digestFile } from '../fetch/receive.ts'
import { quoted } from '../files/file-name.ts'
import { UnusableContent } from '../files/write-file.ts'
import { firstProblems } from '../first-problems.ts'
import { declaredOf } from './declared.ts'

/* A manifest within a container or a folder, which lists its files (reference ingest §2.1). */

export const containedManifest = 'mrt-manifest.txt'

const columnsWithin: readonly CheckmColumn[] = [
  'fileName',
  'hashAlgorithm',
  'hashValue',
  'fileSize',
  'fileLastModified',
  'mimeType',
]

/**
 * X13. Checks that every listed file exists as it is listed, and that every file is listed, but for the manifest.
 * Returns the files with their declared metadata. Throws `UnusableContent`, with the names of those that differ.
 */
export const checkContents = async (
  folder: string,
  files: readonly ObjectFile[],
  filesAtOnce: number,
  context: TaskContext,
): Promise<readonly ObjectFile[]> => {
  const rows = await readRows(join(folder, containedManifest), context)
  const listed = [...rows.values()]
  const nameOf = namesAmong(files)
  const byName = new Map(listed.map((row) => [nameOf(row.name) ?? row.name, row]))
  const differing: string[] = []
  const report = (problem: string) => void differing.push(problem)
  const there = new Set(files.map(({ path }) => path))
  for (const name of byName.keys())
    if (!there.has(name)) report(`${name} is listed in ${containedManifest}, and is not there`)
  for (const { path } of files)
    if (!byName.has(path) && path !== containedManifest)
      report(`${path} is there, and is not listed in ${containedManifest}`)
  const both = files.flatMap((file) => {
    const row = byName.get(file.path)
    return row ? [{ file, row }] : []
  })
  await sideBySide(both, filesAtOnce, async ({ file, row }) => {
    const problem = await difference(folder, file, row, context)
    if (problem !== undefined) report(problem)
  })
  failIfAny(differing)
  return files.map((file) => {
    const declared = declaredOf(byName.get(file.path) ?? {})
    return declared ? { ...file, declared } : file
  })
}

const failIfAny = (differing: readonly string[]): void => {
  if (differing.length === 0) return
  const shown = firstProblems(differing.toSorted())
  throw new UnusableContent(`it is not what its ${containedManifest} lists: ${shown}`)
}

type Row = CheckmFile & { readonly name: string }

const readRows = async (
  path: string,
  { progress, signal }: TaskContext,
): Promise<ReadonlyMap<string, Row>> => {
  try {
    const { profile, columns, rows } = await readCheckm(createReadStream(path), 'fileName')
    const usual: readonly CheckmColumn[] = profile?.endsWith('mrt-ingest-manifest')
      ? ['fileUrl', ...columnsWithin.slice(1, 5), 'fileName', 'mimeType']
      : columnsWithin
    const named = new Map<string, Row>()
    for await (const row of rows(columns ?? usual)) {
      signal.throwIfAborted()
      progress()
      const file = checkmFileOf(row)
      const name = file.name?.replace(/^\.\//, '')
      if (name === undefined) throw new InvalidCheckm(`line ${row.line}: it has no fileName`)
      if (named.has(name))
        throw new InvalidCheckm(`line ${row.line}: the name ${quoted(name)} is listed before`)
      named.set(name, { ...file, name })
    }
    if (named.size === 0) throw new InvalidCheckm('it lists no file')
    return named
  } catch (error) {
    if (error instanceof InvalidCheckm)
      throw new UnusableContent(`its ${containedManifest} cannot be used: ${error.message}`)
    throw error
  }
}

/** Returns the name of a file in the container; it may be listed in another Unicode form, or as Windows has it. */
const namesAmong = (files: readonly ObjectFile[]): ((listed: string) => string | undefined) => {
  const exact = new Set(files.map(({ path }) => path))
  const forms = new Map(files.map(({ path }) => [path.normalize('NFC'), path]))
  const named = (name: string) => (exact.has(name) ? name : forms.get(name.normalize('NFC')))
  return (listed) => {
    for (const name of checksumName({ name: listed }).names) {
      const path = named(name.replace(/^(\.\/)+/, ''))
      if (path !== undefined) return path
    }
    return undefined
  }
}

const difference = async (
  folder: string,
  { path, size, sha256 }: ObjectFile,
  listed: Row,
  context: TaskContext,
): Promise<string | undefined> => {
  if (listed.size !== undefined && listed.size !== size)
    return `${path} has ${size} bytes, and ${listed.size} in ${containedManifest}`
  if (!listed.digest) return undefined
  const { algorithm, value } = listed.digest
  const found =
    algorithm === 'sha256'
      ? sha256
      : (await digestFile(join(folder, path), [algorithm], context)).digests.get(algorithm)
  return found === value
    ? undefined
    : `${path} has the ${algorithm} digest ${found}, and ${value} in ${containedManifest}`
}
