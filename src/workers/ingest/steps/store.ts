import * as E from 'fp-ts/lib/Either.js'
import { sideBySide } from '../../../async/side-by-side.ts'
import { maxListedFiles, type ObjectFile, pages } from '../../../domain/ingest/payload.ts'
import type { NewVersion, ObjectStore, StoredVersion } from '../../../ports/object-store.ts'
import { digestFile } from '../fetch/fetcher.ts'
import { answered } from '../identify/identify.ts'
import {
  placeOf,
  readStorageManifest,
  type StorageManifest,
  writeStorageManifest,
} from '../storage-manifest.ts'
import { keepGoing } from './keep-going.ts'
import { type JobInHand, type Step, type StepContext, StepFailure, type StepTools } from './step.ts'
import { storageFailure } from './storage-failure.ts'

/** N3, N4: the version, on disk as a whole before it is said to be stored. The same once more gives the same version. */
export const store: Step<'storing'> = async (job, tools, context) => {
  const manifest = await manifestOf(job)
  const { ark } = manifest
  answered(await tools.services.identifiers.claimObject(job, ark))
  if (job.claimedIn === 'storing') await failUnlessSame(job, manifest, tools, context)
  const objects = await tools.objectStore()
  const stored = await write(objects, manifest, job, tools, context)
  const files = job.facts.mode === 'add' ? manifest.files : await filesOf(objects, ark, stored.version)
  const listed = await list(job, { ark, version: stored.version }, files, context)
  return {
    ark,
    version: stored.version,
    inventoryDigest: stored.inventoryDigest,
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    listed: [...listed],
    object: objectFacts(job),
  }
}

const manifestOf = async ({ folder }: JobInHand): Promise<StorageManifest> => {
  const manifest = await readStorageManifest(folder.storageManifest)
  if (manifest) return manifest
  throw new StepFailure(`${folder.path} does not hold what is to be stored; submit it anew`, {
    permanent: true,
  })
}

/** Another process prepared it, and the machine may have gone down since: the bytes are read once more. */
const failUnlessSame = (
  { folder }: JobInHand,
  { files }: StorageManifest,
  { fetches }: StepTools,
  context: StepContext,
): Promise<unknown> =>
  sideBySide(files, fetches, async ({ path, sha256 }) => {
    const found = await digestFile(placeOf(folder, path), [], context).catch(() => undefined)
    context.signal.throwIfAborted()
    if (found?.sha256 !== sha256)
      throw new StepFailure(`${path} in ${folder.path} is not as it was downloaded; submit it anew`, {
        permanent: true,
      })
  })

const versionOf = (
  { facts, folder }: JobInHand,
  { ark, basedOn, created, drop, message, files }: StorageManifest,
): NewVersion => ({
  object: ark,
  basedOn,
  files: files.map((file) => ({ ...file, from: placeOf(folder, file.path) })),
  carry: facts.mode === 'update' ? 'all' : 'none',
  drop,
  message,
  user: { name: facts.submitter },
  created,
})

const maxTries = 3

/**
 * X17. What the disk says no to is tried again, as it may be away for a moment. A job that was resumed may find that another
 * one stored a version meanwhile: its own comes after that.
 */
const write = async (
  objects: ObjectStore,
  manifest: StorageManifest,
  job: JobInHand,
  { clock }: StepTools,
  context: StepContext,
): Promise<StoredVersion> => {
  let next = manifest
  for (let tried = 1; ; tried++) {
    const stored = await keepGoing(context, () => objects.write(versionOf(job, next), context.signal)())
    if (E.isRight(stored)) return stored.right
    context.signal.throwIfAborted()
    const failure = stored.left
    if (tried === maxTries || (failure.kind !== 'Unavailable' && failure.kind !== 'Conflict'))
      throw storageFailure(failure)
    if (failure.kind === 'Unavailable') await clock.sleep(1000 * tried, context.signal)
    else {
      next = { ...next, basedOn: failure.head }
      await writeStorageManifest(job.folder.storageManifest, next)
    }
  }
}

/** Of the whole version: with those that were carried over. */
const filesOf = async (
  objects: ObjectStore,
  ark: string,
  version: number,
): Promise<readonly ObjectFile[]> => {
  const files = await objects.files(ark, version)()
  if (E.isLeft(files)) throw storageFailure(files.left)
  return files.right ?? []
}

/** All pages but the last are told before; gives the last. */
const list = async (
  { job, fence }: JobInHand,
  of: { readonly ark: string; readonly version: number },
  files: readonly ObjectFile[],
  { report }: StepContext,
): Promise<readonly ObjectFile[]> => {
  const all = [...pages(files, maxListedFiles)]
  let from = 0
  for (const page of all.slice(0, -1)) {
    await report('files.listed', { job, fence, ...of, from, files: page })
    from += page.length
  }
  return all.at(-1) ?? []
}

const objectFacts = ({ facts, found }: JobInHand) => {
  const { batch, profile, collection, owner, mode } = facts
  const description = { ...facts.description, ...found.description }
  return {
    batch,
    profile,
    collection,
    owner,
    mode,
    localIds: [...(found.localIds ?? facts.localIds)],
    ...(Object.keys(description).length > 0 && { description }),
  }
}
