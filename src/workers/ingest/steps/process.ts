import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import type { Description, ObjectFile } from '../../../domain/ingest/payload.ts'
import { objects } from '../../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import { readProducerWords } from '../describe/producer-words.ts'
import { type SystemFile, systemFiles } from '../describe/system-files.ts'
import { digestFile } from '../fetch/fetcher.ts'
import { readFileList } from '../file-list.ts'
import { bindLocalIds, identify } from '../identify/identify.ts'
import { writeStorageManifest } from '../storage-manifest.ts'
import { syncFile } from '../work-folder.ts'
import { type JobInHand, type Step, type StepContext, StepFailure, type StepTools } from './step.ts'
import { storageFailure } from './storage-failure.ts'

/** I29, I30: which object it is, what is said of it, and the list of all that is to be stored. */
export const process: Step<'processing'> = async (job, tools, context) => {
  const producer = await producerFiles(job)
  const words = await readProducerWords(job.folder.producer)
  const profile = await tools.services.termsOf(job.facts.batch)
  const identity = await identify(job, words.localIds, profile, tools, context)
  const { ark } = identity
  const localIds = [...new Set([...identity.localIds, ...knownLocalIds(job, ark, tools)])]
  const description = { ...words.description, ...job.facts.description }
  await register(ark, job.facts.owner, description, tools, context)
  await bindLocalIds(job, identity, tools)
  const isUpdate = job.facts.mode === 'update'
  const written = [
    ...systemFiles(job, profile, { ark, localIds, description }),
    ...(isUpdate && words.deleteList !== undefined ? [{ name: deleteName, text: words.deleteList }] : []),
  ]
  const system = [...(await writeSystemFiles(job, written)), ...(await submissionManifest(job, context))]
  await writeStorageManifest(job.folder.storageManifest, {
    ark,
    basedOn: await headOf(ark, tools),
    created: tools.clock.now(),
    message: `batch ${job.facts.batch}, job ${job.job}`,
    drop: isUpdate ? [...words.deletions, ...onlyOfOneVersion] : [],
    files: [...producer, ...system].toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  })
  return { ark, localIds, ...(Object.keys(description).length > 0 && { description }) }
}

const deleteName = 'mrt-delete.txt'
/** What an earlier version was made from says nothing of the next. */
const onlyOfOneVersion = [`system/${deleteName}`, 'system/mrt-submission-manifest.txt']

/** An update goes on with what the object is called (reference ingest §2.3). */
const knownLocalIds = ({ facts }: JobInHand, ark: string, { viewStore }: StepTools): readonly string[] => {
  if (facts.mode !== 'update') return []
  const [known] = rowsIfFolded(viewStore, objects, { where: [is('object', ark)], limit: 1 })
  return known?.localIds ?? []
}

/** The object is this job's until the version is stored: nobody else adds one meanwhile. */
const headOf = async (ark: string, { objectStore }: StepTools): Promise<number> => {
  const head = await (await objectStore()).head(ark)()
  if (E.isLeft(head)) throw storageFailure(head.left)
  return head.right?.version ?? 0
}

/** Downloading wrote down what it brought. Nobody but us has been there since. */
const producerFiles = async ({ folder }: JobInHand): Promise<readonly ObjectFile[]> => {
  const list = await readFileList(folder.producerFiles)
  if (!list)
    throw new StepFailure(`${folder.path} does not hold what was downloaded; submit it anew`, {
      permanent: true,
    })
  return list.files.map((file) => ({ ...file, path: `producer/${file.path}` }))
}

const writeSystemFiles = async (
  { folder }: JobInHand,
  files: readonly SystemFile[],
): Promise<readonly ObjectFile[]> => {
  await mkdir(folder.system, { recursive: true })
  const written = await Promise.all(
    files.map(async ({ name, text }) => {
      await writeFile(join(folder.system, name), text, { flush: true })
      const sha256 = createHash('sha256').update(text).digest('hex')
      return { path: `system/${name}`, size: Buffer.byteLength(text), sha256 }
    }),
  )
  await syncFile(folder.system)
  return written
}

/** As it came, beside what was made of it. */
const submissionManifest = async (
  { facts, folder }: JobInHand,
  hold: StepContext,
): Promise<readonly ObjectFile[]> => {
  if (facts.payload.type !== 'manifest') return []
  await syncFile(folder.submissionManifest)
  const { size, sha256 } = await digestFile(folder.submissionManifest, [], hold)
  return [{ path: 'system/mrt-submission-manifest.txt', size, sha256 }]
}

/** X14: what is minted stays the job's, so the next try mints no other one. */
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
