import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { checkBag } from '@fonds/bag/check'
import { DownloadFailure } from '@fonds/download'
import * as t from 'io-ts'
import { NoRoom } from '../../../async/machine-failure.ts'
import { sideBySide } from '../../../async/side-by-side.ts'
import type { ObjectFile } from '../../../domain/ingest/payload.ts'
import type { Stage, StagedFile } from '../../../ports/object-store.ts'
import { digestFile } from '../fetch/receive.ts'
import { CodedContent } from '../fetch/to-stage.ts'
import { type Fetched, WrongContent } from '../fetch/wanted.ts'
import { fileListOf, readFileList } from '../file-list.ts'
import { failUnlessApart } from '../files/kept-apart.ts'
import { firstProblems } from '../first-problems.ts'
import { bagIn, type ObjectRow, objectRows, packedAs } from '../payload/object-rows.ts'
import { areHeld, heldStage } from './held-files.ts'
import { keepGoing } from './keep-going.ts'
import type { Staged } from './staged.ts'
import { openStage, partedFetches, stagedFiles } from './staging.ts'
import {
  type BroughtFiles,
  type JobInProgress,
  type Step,
  type StepContext,
  StepFailure,
  type StepTools,
} from './step.ts'

/** I27, I28: fetches every file, into the work folder or to where storage will keep it. Files that exist and verify are kept. */
export const download: Step<'downloading'> = async (job, tools, context) => {
  const known = await notedFiles(job)
  const brought = packedAs(job.facts.payload)
    ? ((await allVerified(job, known, tools, context)) ?? (await unpackObject(job, tools, context)))
    : await fetchAll(job, known, tools, context)
  const { warnings } = brought
  const isBag = job.facts.payload.type === 'bag'
  const files = isBag ? await checkedBag(job, brought.files, context) : brought.files
  const inOrder = files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  const staged = await stagedFiles(job, tools, context)
  await failUnlessApart(
    job.folder.producer,
    files.flatMap(({ path, sha256 }) => (staged.find(`producer/${path}`, sha256) ? [] : [path])),
  )
  const head = warnings.length > 0 ? [{ warnings }] : []
  await tools.files.write([fileListOf(job.folder.producerFiles, inOrder, head)], context)
  context.handedOn.producer = { files: inOrder, warnings }
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

/** Notes of an earlier claim on the files that it fetched. */
interface Noted {
  readonly files: ReadonlyMap<string, ObjectFile>
  readonly warnings: readonly string[]
}

const NotedHead = t.type({ warnings: t.readonlyArray(t.string) })

/** Reads the file list that an earlier claim wrote. */
const notedFiles = async ({ folder, fence }: JobInProgress): Promise<Noted> => {
  const list = fence > 1 ? await readFileList(folder.producerFiles) : undefined
  const [head] = list?.head ?? []
  const files = new Map(list?.files.map((file) => [file.path, file]))
  return { files, warnings: NotedHead.is(head) ? head.warnings : [] }
}

const fetchAll = async (
  job: JobInProgress,
  known: Noted,
  tools: StepTools,
  context: StepContext,
): Promise<BroughtFiles> => {
  const { rows, warnings } = await objectRows(job, tools, context)
  const { toFolder, toStage } = await partedFetches(job, rows, tools)
  const fetched = await eachOf(toFolder, tools.fetches, job, context, (row, i, shared) =>
    fetchFile(job, { ...row, key: `file-${i}` }, known.files.get(row.path), tools, shared),
  )
  const staged = await stageAll(job, toStage, tools, context)
  return { files: [...fetched, ...staged], warnings }
}

/** Fetches each row: a failure aborts the others, as the job fails in any case. */
const eachOf = async <A>(
  rows: readonly ObjectRow[],
  atOnce: number,
  job: JobInProgress,
  context: StepContext,
  fetch: (row: ObjectRow, index: number, shared: StepContext) => Promise<A>,
): Promise<readonly A[]> => {
  const failed = new AbortController()
  const shared = { ...context, signal: AbortSignal.any([context.signal, failed.signal]) }
  try {
    return await sideBySide([...rows.entries()], atOnce, async ([i, row]) => {
      shared.signal.throwIfAborted()
      try {
        return await fetch(row, i, shared)
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

/** Storage keeps the files of an earlier claim. */
const stageAll = async (
  job: JobInProgress,
  rows: readonly ObjectRow[],
  tools: StepTools,
  context: StepContext,
): Promise<readonly ObjectFile[]> => {
  const before = await stagedFiles(job, tools, context)
  const found = rows.map((row) => ({ row, kept: keptOf(row, before) }))
  const missing = found.filter(({ kept }) => !kept).map(({ row }) => row)
  const files = found.flatMap(({ row, kept }) => (kept ? [fileOf(row, kept)] : []))
  if (missing.length === 0) return files
  const stage = areHeld(rows) ? heldStage : await openStage(job, tools, context)
  const brought = await keepGoing(context, () =>
    eachOf(missing, tools.stagings, job, context, async (row, i, shared) => ({
      row,
      file: await stageFile(job, { ...row, key: `coded-${i}` }, stage, tools, shared),
    })),
  )
  await stage.note()
  context.handedOn.staged = before.with(
    brought.flatMap(({ file }) => ('from' in file ? [{ ...file, from: file.from }] : [])),
  )
  return [...files, ...brought.map(({ row, file }) => fileOf(row, file))]
}

const keptOf = ({ path, size, digest }: ObjectRow, staged: Staged): StagedFile | undefined => {
  const kept = staged.at(`producer/${path}`)
  // Other digests were compared with what the manifest announced then.
  const isSame =
    digest === undefined || (digest.algorithm === 'sha256' && digest.value.toLowerCase() === kept?.sha256)
  return isSame && (size === undefined || size === kept?.size) ? kept : undefined
}

const fileOf = ({ path, declared }: ObjectRow, { size, sha256 }: Fetched): ObjectFile => ({
  ...{ path, size, sha256 },
  ...(declared && { declared }),
})

/** Bytes in a coding are undone in the work folder. */
const stageFile = async (
  { folder }: JobInProgress,
  row: ObjectRow & { readonly key: string },
  stage: Stage,
  { fetcher }: StepTools,
  context: Pick<StepContext, 'signal' | 'progress'>,
): Promise<StagedFile | Fetched> => {
  try {
    return await fetcher.stage(row, { path: `producer/${row.path}`, stage }, context)
  } catch (error) {
    if (!(error instanceof CodedContent)) throw error
    return fetcher.fetch(
      row,
      { to: join(folder.producer, row.path), parts: folder.parts, key: row.key },
      context,
    )
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
): Promise<BroughtFiles> => {
  const { folder, facts } = job
  const kind = packedAs(facts.payload)
  const [row] = (await objectRows(job, tools, context)).rows
  if (!kind || !row) throw new StepFailure(`${facts.payload.url} is no container`, { permanent: true })
  const to = join(folder.parts, `container.${kind}`)
  try {
    const { size } = await tools.fetcher.fetch(row, { to, parts: folder.parts, key: 'container' }, context)
    for (const old of [folder.unpacked, folder.producer]) await rm(old, { recursive: true, force: true })
    const unpacked = await tools.files.unpack({ file: to, kind, size, into: folder.unpacked }, context)
    const isBag = facts.payload.type === 'bag'
    const { top, files, warning } = isBag
      ? bagIn(unpacked.files)
      : { ...unpacked, top: '', warning: undefined }
    await rename(join(folder.unpacked, top), folder.producer)
    await rm(folder.unpacked, { recursive: true, force: true })
    return { files, warnings: [...unpacked.warnings, ...(warning === undefined ? [] : [warning])] }
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

/**
 * Returns the fetched files, of this claim or an earlier one: then the machine may have crashed since, and the bytes
 * are verified again. Files that differ from the list are fetched again.
 */
export const broughtFiles: (...of: Parameters<typeof download>) => Promise<BroughtFiles> = async (
  job,
  tools,
  context,
) => {
  const { handedOn } = context
  handedOn.producer ??= await allVerified(job, await notedFiles(job), tools, context)
  if (!handedOn.producer) await download(job, tools, context)
  return handedOn.producer ?? { files: [], warnings: [] }
}

/** Returns the files that an earlier attempt fetched, if all of them verify. */
const allVerified = async (
  job: JobInProgress,
  { files, warnings }: Noted,
  tools: StepTools,
  context: StepContext,
): Promise<BroughtFiles | undefined> => {
  const { folder } = job
  const staged = await stagedFiles(job, tools, context)
  for (const file of files.values()) {
    const kept =
      staged.find(`producer/${file.path}`, file.sha256) ??
      (await verified(join(folder.producer, file.path), { ...file, url: '' }, file, context))
    if (!kept) return undefined
  }
  return files.size === 0 ? undefined : { files: [...files.values()], warnings }
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
  return fileOf(row, { size, sha256 })
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
