import * as E from 'fp-ts/lib/Either.js'
import type { ObjectFile } from '../../../domain/ingest/payload.ts'
import { files, versions } from '../../../domain/ingest/views.ts'
import type { EmbargoWord } from '../../../domain/kernel/embargo.ts'
import { embargoFile } from '../../../domain/kernel/embargo-file.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { NewVersion, ObjectStore, StoredVersion } from '../../../ports/object-store.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { answered } from '../identify/identify.ts'
import { embargoOfVersion } from '../storage/version-facts.ts'
import { placeOf, type StorageManifest, storageManifestFile } from '../storage-manifest.ts'
import { keepGoing } from './keep-going.ts'
import { knownHead } from './known-head.ts'
import { prepared } from './prepared.ts'
import type { Staged } from './staged.ts'
import { removeStages, stagedFiles } from './staging.ts'
import { type JobInProgress, type Step, type StepContext, StepFailure, type StepTools } from './step.ts'
import { storageFailure } from './storage-failure.ts'
import { storedBefore } from './stored-before.ts'

/**
 * N3, N4: stores the version, durably and as a whole before it is reported. Idempotent: the same input gives the same
 * version.
 */
export const store: Step<'storing'> = async (job, tools, context) => {
  const { ark } = job.found
  if (ark === undefined) throw new StepFailure('its object is not known', { permanent: true })
  answered(await context.aside(tools.services.identifiers.claimObject(job, ark)))
  const objects = await tools.objectStore()
  const ready = await prepared(job, ark, objects, tools, context)
  const { stored, asAsked } =
    'stored' in ready ? { ...ready, asAsked: false } : await write(objects, ready, job, tools, context)
  const { version, inventoryDigest } = stored
  const files =
    job.facts.mode === 'add' && asAsked
      ? ready.files
      : knownFiles(
          await filesOf(objects, ark, version),
          { ark, version, brought: ready.files },
          tools.viewStore,
        )
  const facts = {
    ark,
    version,
    inventoryDigest,
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
  }
  // I32: a job whose object does not accept the version goes no further.
  const { identifiers } = tools.services
  const object = { ...objectFacts(job), embargoUntil: await embargoOf(job, facts, files, objects, tools) }
  const recorded = () => identifiers.recordVersion(job, facts, files, object)
  answered(await context.aside(keepGoing(context, recorded)))
  await removeStages(job, tools, context)
  return facts
}

const versionOf = (
  { facts, folder }: JobInProgress,
  { ark, basedOn, created, drop, message, files }: StorageManifest,
  staged: Staged,
): NewVersion => ({
  object: ark,
  basedOn,
  files: files.map((file) => ({
    ...file,
    from: staged.find(file.path, file.sha256)?.from ?? placeOf(folder, file.path),
  })),
  carry: facts.mode === 'update' ? 'all' : 'none',
  drop,
  message,
  user: { name: facts.submitter },
  created,
})

const maxTries = 3

/**
 * X17. Retries disk errors, as the disk may be unavailable for a moment. A resumed job may find that another job stored
 * a version meanwhile: its own version follows that one, unless it is its own.
 */
const write = async (
  objects: ObjectStore,
  manifest: StorageManifest,
  job: JobInProgress,
  tools: StepTools,
  context: StepContext,
): Promise<{ readonly stored: StoredVersion; readonly asAsked: boolean }> => {
  const staged = await stagedFiles(job, tools, context)
  let next = manifest
  for (let tried = 1; ; tried++) {
    const stored = await keepGoing(context, () =>
      objects.write(versionOf(job, next, staged), context.signal)(),
    )
    if (E.isRight(stored)) return { stored: stored.right, asAsked: true }
    context.signal.throwIfAborted()
    const failure = stored.left
    const isMachines = failure.kind === 'Unavailable' && failure.isMachines
    if (tried === maxTries || isMachines || (failure.kind !== 'Unavailable' && failure.kind !== 'Conflict'))
      throw storageFailure(failure)
    if (failure.kind === 'Unavailable') {
      await tools.clock.sleep(1000 * tried, context.signal)
      // A missing root is waited for, and fails no job.
      await tools.objectStore()
    } else {
      const before = await storedBefore(job, next.ark, objects)
      if (before) return { stored: before, asAsked: false }
      next = { ...next, basedOn: await knownHead(job, next.ark, objects, tools) }
      await tools.files.write([storageManifestFile(job.folder.storageManifest, next)], context)
    }
  }
}

/** Returns all files of the version, with those that were carried over. */
const filesOf = async (
  objects: ObjectStore,
  ark: string,
  version: number,
): Promise<readonly ObjectFile[]> => {
  const files = await objects.files(ark, version)()
  if (E.isLeft(files)) throw storageFailure(files.left)
  return files.right ?? []
}

const objectFacts = ({ facts, found }: JobInProgress) => {
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

/**
 * The embargo of a version: as its depositor says, or as a file says that it carries over from the version before, whose
 * embargo is known by the views; else the file is read.
 */
const embargoOf = async (
  { found }: JobInProgress,
  { ark, version }: { readonly ark: string; readonly version: number },
  all: readonly ObjectFile[],
  objects: ObjectStore,
  { viewStore }: StepTools,
): Promise<EmbargoWord> => {
  const path = `producer/${embargoFile}`
  const file = all.find((one) => one.path === path)
  if (!file) return 'none'
  if (found.embargoUntil !== undefined) return found.embargoUntil
  const before = { object: ark, version: version - 1 }
  const ofVersion = [is('object', before.object), is('version', before.version)]
  const [carried] = rowsIfFolded(viewStore, files, { where: [...ofVersion, is('path', path)], limit: 1 })
  const [known] = rowsIfFolded(viewStore, versions, { where: ofVersion, limit: 1 })
  return carried?.sha256 === file.sha256 && known?.embargoUntil != null
    ? known.embargoUntil
    : embargoOfVersion(objects, ark, version)
}

/**
 * Adds known facts, beside size and digest, to the files of a version: of those that it brought, and, by the views, of
 * those that it carries over from the version before.
 */
const knownFiles = (
  all: readonly ObjectFile[],
  { ark, version, brought }: { ark: string; version: number; brought: readonly ObjectFile[] },
  viewStore: Pick<ViewStore, 'query'>,
): readonly ObjectFile[] => {
  const before = rowsIfFolded(viewStore, files, { where: [is('object', ark), is('version', version - 1)] })
  const known = new Map<string, ObjectFile>()
  for (const { path, size, sha256, declared, format } of before)
    if (declared ?? format)
      known.set(path, { path, size, sha256, ...(declared && { declared }), ...(format && { format }) })
  for (const file of brought) known.set(file.path, file)
  return all.map((file) => {
    const facts = known.get(file.path)
    return facts?.sha256 === file.sha256 ? facts : file
  })
}
