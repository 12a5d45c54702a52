import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sideBySide } from '../../../async/side-by-side.ts'
import type { ObjectFile } from '../../../domain/ingest/payload.ts'
import { DownloadFailure } from '../../http/http-failures.ts'
import { digestFile, WrongContent } from '../fetch/fetcher.ts'
import { readFileList, writeFileList } from '../file-list.ts'
import { type ObjectRow, objectRows } from '../payload/object-rows.ts'
import { type JobInHand, type Step, type StepContext, StepFailure, type StepTools } from './step.ts'

/** I27, I28: brings every file into the work folder. What is there already, and verifies, is kept. */
export const download: Step<'downloading'> = async (job, tools, context) => {
  const rows = await objectRows(job, tools, context)
  const known = await knownFiles(job)
  const files = await fetchAll(job, rows, known, tools, context)
  const inOrder = files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  await writeFileList(job.folder.producerFiles, inOrder)
  await rm(job.folder.parts, { recursive: true, force: true })
  const spaceNeeded = files.reduce((sum, { size }) => sum + size, 0)
  const isCorrected = job.found.sizeKnown === false
  return { spaceNeeded, sizeKnown: true, ...(isCorrected && { priority: job.facts.priority }) }
}

const knownFiles = async ({ folder }: JobInHand): Promise<ReadonlyMap<string, ObjectFile>> => {
  const list = await readFileList(folder.producerFiles)
  return new Map(list?.files.map((file) => [file.path, file]))
}

const fetchAll = async (
  job: JobInHand,
  rows: readonly ObjectRow[],
  known: ReadonlyMap<string, ObjectFile>,
  tools: StepTools,
  context: StepContext,
): Promise<readonly ObjectFile[]> => {
  // One that fails ends the others: the job fails in any case.
  const failed = new AbortController()
  const hold = { ...context, signal: AbortSignal.any([context.signal, failed.signal]) }
  try {
    return await sideBySide([...rows.entries()], tools.fetches, async ([i, row]) => {
      hold.signal.throwIfAborted()
      try {
        return await fetchFile(job, { ...row, key: `file-${i}` }, known.get(row.path), tools, hold)
      } catch (error) {
        failed.abort(error)
        throw error
      }
    })
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof DownloadFailure) throw new StepFailure(error.message, { cause: error })
    if (error instanceof WrongContent) throw wrongContent(job, error)
    throw error
  }
}

/** X12. A single file that is not the one that was announced can only be submitted anew (C11). */
const wrongContent = ({ facts }: JobInHand, error: WrongContent): StepFailure =>
  new StepFailure(error.message, { cause: error, permanent: facts.payload.type !== 'manifest' })

const fetchFile = async (
  { folder }: JobInHand,
  row: ObjectRow & { readonly key: string },
  known: ObjectFile | undefined,
  { fetcher }: StepTools,
  hold: Pick<StepContext, 'signal' | 'progress'>,
): Promise<ObjectFile> => {
  const to = join(folder.producer, row.path)
  const kept = await verified(to, row, known, hold)
  const { size, sha256 } = kept ?? (await fetcher.fetch(row, { to, parts: folder.parts, key: row.key }, hold))
  return { path: row.path, size, sha256 }
}

/** The file that an earlier attempt brought, where its bytes are what they should be. */
const verified = async (
  path: string,
  { size, digest }: ObjectRow,
  known: ObjectFile | undefined,
  hold: Pick<StepContext, 'signal' | 'progress'>,
) => {
  const wanted = digest ?? (known && { algorithm: 'sha256' as const, value: known.sha256 })
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile() || !wanted || (size !== undefined && found.size !== size)) return undefined
  const file = await digestFile(path, [wanted.algorithm], hold)
  return file.digests.get(wanted.algorithm) === wanted.value ? file : undefined
}
