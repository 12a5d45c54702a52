import { createHash } from 'node:crypto'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { maxWarningLength, maxWarnings } from '../../../domain/ingest/job/facts.ts'
import type { Description, ObjectFile } from '../../../domain/ingest/payload.ts'
import type { Profile } from '../../../domain/ingest/profile/profile.ts'
import { objects } from '../../../domain/ingest/views.ts'
import { clip } from '../../../domain/kernel/clip.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { ObjectStore } from '../../../ports/object-store.ts'
import { answersName, characterise } from '../characterise/characterise.ts'
import { deletionList, deletionsIn } from '../describe/deletions.ts'
import { describedBy, readProducerWords } from '../describe/producer-words.ts'
import { type SystemFile, systemFiles } from '../describe/system-files.ts'
import { digestFile } from '../fetch/receive.ts'
import { bindLocalIds, identify } from '../identify/identify.ts'
import { checkContents, containedManifest } from '../payload/contained-manifest.ts'
import { storageManifestFile } from '../storage-manifest.ts'
import { broughtFiles } from './download.ts'
import { knownHead } from './known-head.ts'
import {
  type BroughtFiles,
  type JobInProgress,
  type Step,
  type StepContext,
  StepFailure,
  type StepTools,
} from './step.ts'
import { storageFailure } from './storage-failure.ts'

/** I29, I30: identifies the object, describes it, and lists all files to store. */
export const process: Step<'processing'> = async (job, tools, context) => {
  const { files: brought, warnings } = await checkedProducer(job, tools, context)
  const profile = await tools.services.termsOf(job.facts.batch)
  const words = await readProducerWords(job.folder.producer, brought, profile)
  const { files: producer, answers } = await characterised(job, brought, profile, tools, context)
  const identity = await identify(job, words.localIds, profile, tools, context)
  const { ark } = identity
  const localIds = [...new Set([...identity.localIds, ...knownLocalIds(job, ark, tools)])]
  const description = describedBy(job.facts.description, words)
  const dublinCore = { ...words.dublinCore, ...description.dublinCore }
  await register(ark, job.facts.owner, description, tools, context)
  await bindLocalIds(job, identity, tools)
  const objects = await tools.objectStore()
  const basedOn = await knownHead(job, ark, objects, tools)
  const deleteList = job.facts.mode === 'update' ? words.deleteList : undefined
  const deletions = deleteList === undefined ? none : await deleted(deleteList, ark, basedOn, objects)
  const written = [
    ...systemFiles(job, profile, { ark, localIds, description: { ...description, dublinCore } }),
    ...(deleteList === undefined ? [] : [{ name: deletionList, text: deleteList }]),
  ]
  const system = [...written.map(fileOf), ...(await submissionManifest(job, context)), ...answers]
  const manifest = {
    ark,
    basedOn,
    created: tools.clock.now(),
    message: `batch ${job.facts.batch}, job ${job.job}`,
    drop: job.facts.mode === 'update' ? [...deletions.paths, ...onlyOfOneVersion] : [],
    files: [...producer, ...system].toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  }
  const texts = written.map(({ name, text }) => ({ path: join(job.folder.system, name), parts: [text] }))
  await tools.files.write([...texts, storageManifestFile(job.folder.storageManifest, manifest)], context)
  context.handedOn.manifest = manifest
  return {
    ark,
    localIds,
    ...(Object.keys(description).length > 0 && { description }),
    ...(words.embargoUntil !== undefined && { embargoUntil: words.embargoUntil }),
    ...changedWarnings(job, [...warnings, ...(deletions.warning === undefined ? [] : [deletions.warning])]),
  }
}

const none = { paths: [], warning: undefined }

/** X17: reads the names of the version before from storage. */
const deleted = async (list: string, ark: string, basedOn: number, objects: ObjectStore) => {
  const before = basedOn === 0 ? E.right(undefined) : await objects.files(ark, basedOn)()
  if (E.isLeft(before)) throw storageFailure(before.left)
  const paths = (before.right ?? []).map(({ path }) => path)
  return deletionsIn(
    list,
    paths.filter((path) => path.startsWith('producer/')),
  )
}

/** An earlier attempt may have reported others. */
const changedWarnings = ({ found }: JobInProgress, warnings: readonly string[]) =>
  warnings.length > 0 || found.warnings?.length
    ? { warnings: warnings.map((one) => clip(one, maxWarningLength)).slice(0, maxWarnings) }
    : {}

/** Files about the making of one version do not apply to the next. */
const onlyOfOneVersion = [
  `system/${deletionList}`,
  'system/mrt-submission-manifest.txt',
  `system/${answersName}`,
]

/** An update keeps the object's local ids (reference ingest §2.3). */
const knownLocalIds = (
  { facts }: JobInProgress,
  ark: string,
  { viewStore }: StepTools,
): readonly string[] => {
  if (facts.mode !== 'update') return []
  const [known] = rowsIfFolded(viewStore, objects, { where: [is('object', ark)], limit: 1 })
  return known?.localIds ?? []
}

/** A manifest within the payload is checked against the files. */
const checkedProducer = async (
  job: JobInProgress,
  tools: StepTools,
  context: StepContext,
): Promise<BroughtFiles> => {
  const { files: brought, warnings } = await broughtFiles(job, tools, context)
  const { facts, folder } = job
  const { type } = facts.payload
  const isListed =
    (type === 'container' || type === 'folder') && brought.some(({ path }) => path === containedManifest)
  const files = isListed ? await checkContents(folder.producer, brought, tools.fetches, context) : brought
  return { files: files.map((file) => ({ ...file, path: `producer/${file.path}` })), warnings }
}

/** Returns the files with their formats, and the file of answers, if a tool is set. */
const characterised = async (
  { folder }: JobInProgress,
  files: readonly ObjectFile[],
  profile: Profile,
  { characteriser, fetches }: StepTools,
  context: StepContext,
): Promise<{ readonly files: readonly ObjectFile[]; readonly answers: readonly ObjectFile[] }> => {
  if (!characteriser || profile.characterise === 'none') return { files, answers: [] }
  const found = await characterise(folder, files, characteriser, fetches, context)
  return { files: found.files, answers: [found.answers] }
}

const fileOf = ({ name, text }: SystemFile): ObjectFile => ({
  path: `system/${name}`,
  size: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
})

/** The submission manifest, unchanged, beside the files made from it. */
const submissionManifest = async (
  { facts, folder }: JobInProgress,
  context: StepContext,
): Promise<readonly ObjectFile[]> => {
  if (facts.payload.type !== 'manifest') return []
  const { size, sha256 } = await digestFile(folder.submissionManifest, [], context)
  return [{ path: 'system/mrt-submission-manifest.txt', size, sha256 }]
}

/** X14: a minted ARK stays the job's, so a retry mints no other. */
const register = async (
  ark: string,
  owner: string,
  { who, what, when }: Description,
  { minter }: StepTools,
  { signal }: StepContext,
): Promise<void> => {
  const citation = {
    owner,
    ...(who !== undefined && { who }),
    ...(what !== undefined && { what }),
    ...(when !== undefined && { when }),
  }
  const registered = await minter.register(ark, citation, signal)()
  if (E.isLeft(registered)) throw new StepFailure(`${ark} could not be registered: ${registered.left.reason}`)
}
