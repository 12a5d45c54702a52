import { sideBySide } from '../../../async/side-by-side.ts'
import type { ObjectFile } from '../../../domain/ingest/payload.ts'
import type { ObjectStore, StoredVersion } from '../../../ports/object-store.ts'
import { digestFile } from '../fetch/fetcher.ts'
import { placeOf, readStorageManifest, type StorageManifest } from '../storage-manifest.ts'
import { process } from './process.ts'
import type { JobInHand, StepContext, StepTools } from './step.ts'
import { storedBefore } from './stored-before.ts'

/** The version was stored, and nobody said so. */
interface StoredBefore {
  readonly stored: StoredVersion
  /** Those whose facts are known still. */
  readonly files: readonly ObjectFile[]
}

/**
 * What is to be stored. Where another claim prepared it, the machine may have gone down since: the bytes are read once
 * more, and what is not as it was written down is made anew, unless it was stored before (N5).
 */
export const prepared = async (
  job: JobInHand,
  ark: string,
  objects: ObjectStore,
  tools: StepTools,
  context: StepContext,
): Promise<StorageManifest | StoredBefore> => {
  const { handedOn } = context
  const manifest = handedOn.manifest ?? (await manifestBefore(job, tools, context))
  // A version that comes after none: storage itself knows whether it is there.
  if (manifest?.basedOn === 0) return manifest
  const stored = await storedBefore(job, ark, objects)
  if (stored) return { stored, files: manifest?.files ?? [] }
  if (manifest) return manifest
  await process(job, tools, context)
  if (!handedOn.manifest) throw new Error('processing hands on a manifest')
  return handedOn.manifest
}

const manifestBefore = async (
  job: JobInHand,
  tools: StepTools,
  context: StepContext,
): Promise<StorageManifest | undefined> => {
  const manifest = await readStorageManifest(job.folder.storageManifest)
  return manifest && (await isWhole(job, manifest, tools, context)) ? manifest : undefined
}

const isWhole = async (
  { folder }: JobInHand,
  { files }: StorageManifest,
  { fetches }: StepTools,
  context: StepContext,
): Promise<boolean> => {
  const same = await sideBySide(files, fetches, async ({ path, sha256 }) => {
    const found = await digestFile(placeOf(folder, path), [], context).catch(() => undefined)
    context.signal.throwIfAborted()
    return found?.sha256 === sha256
  })
  return !same.includes(false)
}
