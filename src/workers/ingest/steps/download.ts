import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { checkBag } from '@fonds/bag/check'
import { DownloadFailure } from '@fonds/download'
import { NoRoom } from '../../../async/machine-failure.ts'
import { sideBySide } from '../../../async/side-by-side.ts'
import type { ObjectFile } from '../../../domain/ingest/payload.ts'
import { digestFile } from '../fetch/fetcher.ts'
import { WrongContent } from '../fetch/wanted.ts'
import { fileListOf, readFileList } from '../file-list.ts'
import { failUnlessApart } from '../files/kept-apart.ts'
import { firstProblems } from '../first-problems.ts'
import { type ObjectRow, objectRows, packedAs } from '../payload/object-rows.ts'
import { type JobInProgress, type Step, type StepContext, StepFailure, type StepTools } from './step.ts'

/** I27, I28: fetches every file into the work folder. Files that exist and verify are kept. */
export const download: Step<'downloading'> = async (job, tools, context) => {
  const known = await notedFiles(job)
  const brought = packedAs(job.facts.payload)
    ? ((await allVerified(job, known, context)) ?? (await unpackObject(job, tools, context)))
    : await fetchAll(job, await objectRows(job, tools, context), known, tools, context)
  const files = job.facts.payload.type === 'bag' ? await checkedBag(job, brought, context) : brought
  const inOrder = files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  await failUnlessApart(
    job.folder.producer,
    files.map(({ path }) => path),
  )
  await tools.files.write([fileListOf(job.folder.producerFiles, inOrder)], context)
  context.handedOn.producer = inOrder
  await rm(job.folder.parts, { recursive: true, force: true })
  const spaceNeeded = files.reduce((sum, { size }) => sum + size, 0)
  const isCorrected = job.found.sizeKnown === false
  const site = await tools.services.workSite()
  return { spaceNeeded, sizeKnown: true, site, ...(isCorrected && { priority: job.facts.priority }) }
}

/**
 * Checks all rules of BagIt: an invalid bag cannot be stored as a bag. Returns its files, with the digests that it
 * declares.
 */
const checkedBag = async (
  { folder }: JobInProgress,
  files: readonly ObjectFile[],
  context: StepContext,
): Promise<readonly ObjectFile[]> => {
  const { problems, digests } = await checkBag(folder.producer, context)
  if (problems.length > 0)
    throw new StepFailure(`it is no valid bag: ${firstProblems(problems)}`, { permanent: true })
  return files.map((file) => {
    const stated = digests.get(file.path) ?? {}
    return Object.keys(stated).length === 0 ? file : { ...file, declared: { digests: stated } }
  })
}

/** Reads the file list that an earlier claim wrote. */
const notedFiles = async ({ folder, fence }: JobInProgress): Promise<ReadonlyMap<string, ObjectFile>> => {
  const list = fence > 1 ? await readFileList(folder.producerFiles) : undefined
  return new Map(list?.files.map((file) => [file.path, file]))
}

const fetchAll = async (
  job: JobInProgress,
  rows: readonly ObjectRow[],
  known: ReadonlyMap<string, ObjectFile>,
  tools: StepTools,
  context: StepContext,
): Promise<readonly ObjectFile[]> => {
  // A failure aborts the others: the job fails in any case.
  const failed = new AbortController()
  const shared = { ...context, signal: AbortSignal.any([context.signal, failed.signal]) }
  try {
    return await sideBySide([...rows.entries()], tools.fetches, async ([i, row]) => {
      shared.signal.throwIfAborted()
      try {
        return await fetchFile(job, { ...row, key: `file-${i}` }, known.get(row.path), tools, shared)
      } catch (error) {
        failed.abort(error)
        throw error
      }
    })
  } catch (error) {
    context.signal.throwIfAborted()
    throw asStepFailure(job, error)
  }
}

const asStepFailure = (job: JobInProgress, error: unknown): unknown => {
  if (error instanceof DownloadFailure) return new StepFailure(error.message, { cause: error })
  return error instanceof WrongContent ? wrongContent(job, error) : error
}

/** Fetches a container and unpacks it, both from the beginning. */
const unpackObject = async (
  job: JobInProgress,
  tools: StepTools,
  context: StepContext,
): Promise<readonly ObjectFile[]> => {
  const { folder, facts } = job
  const kind = packedAs(facts.payload)
  const [row] = await objectRows(job, tools, context)
  if (!kind || !row) throw new StepFailure(`${facts.payload.url} is no container`, { permanent: true })
  const to = join(folder.parts, `container.${kind}`)
  try {
    const { size } = await tools.fetcher.fetch(row, { to, parts: folder.parts, key: 'container' }, context)
    for (const old of [folder.unpacked, folder.producer]) await rm(old, { recursive: true, force: true })
    const files = await tools.files.unpack({ file: to, kind, size, into: folder.unpacked }, context)
    const top = facts.payload.type === 'bag' ? bagFolder(files) : ''
    await rename(join(folder.unpacked, top), folder.producer)
    await rm(folder.unpacked, { recursive: true, force: true })
    return files.map(({ path, size, sha256 }) => ({ path: path.slice(top.length), size, sha256 }))
  } catch (error) {
    context.signal.throwIfAborted()
    throw error instanceof NoRoom ? await unpackedNothing(job.folder, to, error) : asStepFailure(job, error)
  }
}

/** Both start over: existing files would keep the disk from others. A resumable download has a part of its own. */
const unpackedNothing = async (
  { unpacked }: JobInProgress['folder'],
  fetched: string,
  { message, missing }: NoRoom,
): Promise<NoRoom> => {
  const container = await stat(fetched).catch(() => undefined)
  if (!container) return new NoRoom(message, missing)
  for (const path of [unpacked, fetched]) await rm(path, { recursive: true, force: true })
  return new NoRoom(`${message}; no unpacked file is kept`, Math.max(missing, container.size))
}

/** A packed bag has one folder at its top (RFC 8493 §4), or is packed without. */
const bagFolder = (files: readonly ObjectFile[]): string => {
  const top = files[0]?.path.match(/^[^/]+\//)?.[0] ?? ''
  return top !== '' && files.every(({ path }) => path.startsWith(top)) ? top : ''
}

/**
 * Returns the fetched files, of this claim or an earlier one: then the machine may have crashed since, and the bytes
 * are verified again. Files that differ from the list are fetched again.
 */
export const broughtFiles: (...of: Parameters<typeof download>) => Promise<readonly ObjectFile[]> = async (
  job,
  tools,
  context,
) => {
  const { handedOn } = context
  handedOn.producer ??= await allVerified(job, await notedFiles(job), context)
  if (!handedOn.producer) await download(job, tools, context)
  return handedOn.producer ?? []
}

/** Returns the files that an earlier attempt fetched, if all of them verify. */
const allVerified = async (
  { folder }: JobInProgress,
  known: ReadonlyMap<string, ObjectFile>,
  context: StepContext,
): Promise<readonly ObjectFile[] | undefined> => {
  for (const file of known.values()) {
    const kept = await verified(join(folder.producer, file.path), { ...file, url: '' }, file, context)
    if (!kept) return undefined
  }
  return known.size === 0 ? undefined : [...known.values()]
}

/** X12. A single file that differs from its announcement needs a new submission (C11). */
const wrongContent = ({ facts }: JobInProgress, error: WrongContent): StepFailure =>
  new StepFailure(error.message, { cause: error, permanent: facts.payload.type !== 'manifest' })

const fetchFile = async (
  { folder }: JobInProgress,
  row: ObjectRow & { readonly key: string },
  known: ObjectFile | undefined,
  { fetcher }: StepTools,
  context: Pick<StepContext, 'signal' | 'progress'>,
): Promise<ObjectFile> => {
  const to = join(folder.producer, row.path)
  const kept = await verified(to, row, known, context)
  const { size, sha256 } =
    kept ?? (await fetcher.fetch(row, { to, parts: folder.parts, key: row.key }, context))
  return { path: row.path, size, sha256, ...(row.declared && { declared: row.declared }) }
}

/** Returns the file that an earlier attempt fetched, if its bytes are as expected. */
const verified = async (
  path: string,
  { size, digest }: ObjectRow,
  known: ObjectFile | undefined,
  context: Pick<StepContext, 'signal' | 'progress'>,
) => {
  const wanted = digest ?? (known && { algorithm: 'sha256' as const, value: known.sha256 })
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile() || !wanted || (size !== undefined && found.size !== size)) return undefined
  const file = await digestFile(path, [wanted.algorithm], context)
  return file.digests.get(wanted.algorithm) === wanted.value ? file : undefined
}
