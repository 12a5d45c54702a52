import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { sideBySide } from '../../../async/side-by-side.ts'
import type { ObjectFile } from '../../../domain/ingest/payload.ts'
import { systemFiles } from '../describe/system-files.ts'
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
  await context.jobIn('processing')
  const profile = await tools.services.termsOf(job.facts.batch)
  const identity = await identify(job, profile, tools)
  const { ark, localIds } = identity
  const description = { ...job.facts.description, ...job.found.description }
  const written = systemFiles(job, profile, { ark, localIds, description })
  await mkdir(job.folder.system, { recursive: true })
  const system = await sideBySide(written, tools.fetches, ({ name, text }) =>
    writeSystemFile(job, name, text),
  )
  await syncFile(job.folder.system)
  await register(ark, job, tools, context)
  await bindLocalIds(job, identity, tools)
  const files = [...producer, ...system, ...(await submissionManifest(job, context))]
  await writeStorageManifest(job.folder.storageManifest, {
    ark,
    basedOn: await headOf(ark, tools),
    created: tools.clock.now(),
    message: `batch ${job.facts.batch}, job ${job.job}`,
    files: files.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  })
  return { ark, localIds: [...localIds], ...(Object.keys(description).length > 0 && { description }) }
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

const writeSystemFile = async ({ folder }: JobInHand, name: string, text: string): Promise<ObjectFile> => {
  const path = join(folder.system, name)
  await writeFile(path, text, { flush: true })
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { path: `system/${name}`, size: Buffer.byteLength(text), sha256 }
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
  { facts, found }: JobInHand,
  { minter }: StepTools,
  { signal }: StepContext,
): Promise<void> => {
  const { who, what, when } = { ...facts.description, ...found.description }
  const citation = {
    owner: facts.owner,
    ...(who !== undefined && { who }),
    ...(what !== undefined && { what }),
    ...(when !== undefined && { when }),
  }
  const registered = await minter.register(ark, citation, signal)()
  if (E.isLeft(registered)) throw new StepFailure(`${ark} could not be registered: ${registered.left.reason}`)
}
