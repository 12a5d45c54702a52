import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { announcedDigest, fileNameIn, InvalidCheckm, readMerrittManifest } from '@fonds/bag'
import { whyLoginRefused } from '@fonds/download'
import type { TaskContext } from '../../../async/task-context.ts'
import type { DeclaredFile, ObjectPayload, PayloadDigest } from '../../../domain/ingest/payload.ts'
import { isPrefix } from '../../buckets/bucket-file.ts'
import { isLocal } from '../fetch/local-file.ts'
import type { Wanted } from '../fetch/wanted.ts'
import { quoted, whyNotName } from '../files/file-name.ts'
import { type JobInProgress, StepFailure, type StepTools } from '../steps/step.ts'
import { type ContainerKind, containerKind, noContainerName } from '../unpack/container.ts'
import { emptyFoldersWarning } from '../unpack/empty-folders.ts'
import { type BagFiles, bagAmong, whyNoBag } from './bag-folder.ts'
import { declaredOf } from './declared.ts'
import { folderRows } from './folder-rows.ts'

/** A file of the object that remains to be fetched. */
export interface ObjectRow extends Wanted {
  /** Path in the object. */
  readonly path: string
  /** The depositor's metadata, beside the size. */
  readonly declared?: DeclaredFile | undefined
}

type Tools = Pick<StepTools, 'fetcher' | 'folders' | 'announced'>

/** The files to fetch of one object. */
export interface ObjectRows {
  readonly rows: readonly ObjectRow[]
  /** Sentences on what the payload has beside them. */
  readonly warnings: readonly string[]
}

/**
 * Returns the files to fetch: a file or a container, the files of a folder, or the rows of a manifest, which is fetched
 * if it is missing. Throws `StepFailure`, `UnusableContent` and `DownloadFailure`.
 */
export const objectRows = async (
  job: JobInProgress,
  tools: Tools,
  context: TaskContext,
): Promise<ObjectRows> => {
  const { payload } = job.facts
  if (payload.type === 'manifest') return { rows: await manifestRows(job, tools, context), warnings: [] }
  if (payload.type === 'file' || packedAs(payload) !== undefined)
    return { rows: [oneRow(payload)], warnings: [] }
  const found: ObjectRow[] = []
  const empty: string[] = []
  for await (const row of folderRows(payload.url, tools, context, (path) => empty.push(path))) found.push(row)
  if (found.length === 0) throw new StepFailure(`${payload.url} holds no file`, { permanent: true })
  const { files: rows, warning } =
    payload.type === 'bag' ? bagIn(found) : { files: found, warning: undefined }
  return { rows, warnings: [warning, emptyFoldersWarning(empty)].filter((one) => one !== undefined) }
}

/** Takes the bag out of the files of a container or a folder. Throws `StepFailure` where it is not alone. */
export const bagIn = <File extends { readonly path: string }>(found: readonly File[]): BagFiles<File> => {
  const why = whyNoBag(found.map(({ path }) => path))
  if (why) throw new StepFailure(why, { permanent: true })
  return bagAmong(found)
}

/**
 * Returns the format of a container; undefined if the payload is not packed. Throws `StepFailure` if the format of a
 * container is unknown (ingest X13).
 */
export const packedAs = ({
  type,
  url,
  name = fileNameIn(url) ?? '',
}: ObjectPayload): ContainerKind | undefined => {
  if (type !== 'container' && type !== 'bag') return undefined
  if (type === 'bag' && isPrefix(url)) return undefined
  const kind = containerKind(name)
  if (kind === undefined && (type === 'container' || !isLocal(url)))
    throw new StepFailure(`${quoted(name)} ${noContainerName}`, { permanent: true })
  return kind
}

const oneRow = ({ url, name, size, digest }: ObjectPayload): ObjectRow => {
  const path = name ?? fileNameIn(url) ?? 'file'
  const why = whyNotName(path)
  if (why) throw new StepFailure(`the name ${quoted(path)} ${why}`, { permanent: true })
  const wanted = announced(digest)
  return { url, path, size, digest: wanted, declared: wanted && declaredOf({ digest: wanted }) }
}

/** The digest as the depositor wrote it (ingest X4). */
const announced = (digest: PayloadDigest | undefined): Wanted['digest'] =>
  digest &&
  announcedDigest(digest.algorithm, digest.value, (reason) => new StepFailure(reason, { permanent: true }))

const manifestRows = async (
  job: JobInProgress,
  { fetcher }: Tools,
  context: TaskContext,
): Promise<readonly ObjectRow[]> => {
  const { folder, facts } = job
  const { url, size, digest } = facts.payload
  const to = folder.submissionManifest
  if (!(await isThere(to)))
    await fetcher.fetch(
      { url, size, digest: announced(digest) },
      { to, parts: folder.parts, key: 'submission-manifest', whole: true },
      context,
    )
  try {
    const { rows } = await readMerrittManifest(createReadStream(to), ['object'], whyLoginRefused)
    return await checkedRows(rows, context)
  } catch (error) {
    if (error instanceof InvalidCheckm)
      throw new StepFailure(`the manifest ${url} cannot be used: ${error.message}`, { permanent: true })
    throw error
  }
}

type ManifestRows = Awaited<ReturnType<typeof readMerrittManifest>>['rows']

/** Returns the rows if each has a valid name, and no two have the same (ingest X5, X8). */
const checkedRows = async (rows: ManifestRows, { progress }: TaskContext): Promise<readonly ObjectRow[]> => {
  const files = new Map<string, number>()
  const folders = new Map<string, number>()
  const all: ObjectRow[] = []
  for await (const row of rows) {
    const { line, url, name = '', size, digest } = row
    const why = whyNotName(name)
    if (why) throw new InvalidCheckm(`line ${line}: the name ${quoted(name)} ${why}`)
    const other = files.get(name) ?? folders.get(name)
    if (other !== undefined)
      throw new InvalidCheckm(`line ${line}: the name ${quoted(name)} is taken by line ${other}`)
    for (const folder of foldersAbove(name)) {
      const file = files.get(folder)
      if (file !== undefined)
        throw new InvalidCheckm(`line ${line}: ${quoted(folder)} is a file in line ${file}`)
      folders.set(folder, line)
    }
    files.set(name, line)
    all.push({ url, path: name, size, digest, declared: declaredOf(row) })
    progress()
  }
  if (all.length === 0) throw new InvalidCheckm('it lists no file')
  return all
}

function* foldersAbove(path: string): Generator<string> {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
    yield path.slice(0, slash)
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
