import { sideBySide } from '../../../async/side-by-side.ts'
import type { ObjectFile } from '../../../domain/ingest/payload.ts'
import type { ObjectStore, StoredVersion } from '../../../ports/object-store.ts'
import { digestFile } from '../fetch/receive.ts'
import { placeOf, readStorageManifest, type StorageManifest } from '../storage-manifest.ts'
import { process } from './process.ts'
import { stagedFiles } from './staging.ts'
import type { JobInProgress, StepContext, StepTools } from './step.ts'
import { storedBefore } from './stored-before.ts'

/** The version was stored, but not reported. */
interface StoredBefore {
  readonly stored: StoredVersion
  /** Files whose facts are still known. */
  readonly files: readonly ObjectFile[]
}

/**
 * Returns the manifest to store. If an earlier claim prepared it, the machine may have crashed since: the bytes are
 * verified, and the manifest is made again if they differ, unless the version was stored before (N5).
 */
export const prepared = async (
  job: JobInProgress,
  ark: string,
  objects: ObjectStore,
  tools: StepTools,
  context: StepContext,
): Promise<StorageManifest | StoredBefore> => {
  const { handedOn } = context
  const manifest = handedOn.manifest ?? (await manifestBefore(job, tools, context))
  // A first version: storage itself detects whether it exists.
  if (manifest?.basedOn === 0) return manifest
  const stored = await storedBefore(job, ark, objects)
  if (stored) return { stored, files: manifest?.files ?? [] }
  if (manifest) return manifest
  await process(job, tools, context)
  if (!handedOn.manifest) throw new Error('processing hands on a manifest')
  return handedOn.manifest
}

const manifestBefore = async (
  job: JobInProgress,
  tools: StepTools,
  context: StepContext,
): Promise<StorageManifest | undefined> => {
  const manifest = await readStorageManifest(job.folder.storageManifest)
  return manifest && (await isWhole(job, manifest, tools, context)) ? manifest : undefined
}

const isWhole = async (
  job: JobInProgress,
  { files }: StorageManifest,
  tools: StepTools,
  context: StepContext,
): Promise<boolean> => {
  const { folder } = job
  const staged = await stagedFiles(job, tools, context)
  const same = await sideBySide(files, tools.fetches, async ({ path, sha256 }) => {
    if (staged.find(path, sha256)) return true
    const found = await digestFile(placeOf(folder, path), [], context).catch(() => undefined)
    context.signal.throwIfAborted()
    return found?.sha256 === sha256
  })
  return !same.includes(false)
}
