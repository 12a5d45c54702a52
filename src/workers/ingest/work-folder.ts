import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/*
 * Where the files of one job lie until they are stored: `<batch>/<job>-<fence>/`, of one claim. Whoever claims the job next
 * gives the folder the name of its own claim. So a worker that lost its claim, and does not know that yet, finds nothing at
 * its paths any more, and spoils nothing.
 */
export interface WorkFolder {
  readonly path: string
  /** What was submitted. */
  readonly producer: string
  /** What we say of it. */
  readonly system: string
  /** Downloads under way. */
  readonly parts: string
  /** What a container holds, until it was checked. */
  readonly unpacked: string
  /** The depositor's manifest, as it came. */
  readonly submissionManifest: string
  /** What lies in `producer`, with size and digest: written when all of it is there. */
  readonly producerFiles: string
  /** All that is to be stored. */
  readonly storageManifest: string
}

interface ClaimedJob {
  readonly batch: string
  readonly job: number
  /** Of the claim. */
  readonly fence: number
}

export const workFolderOf = (root: string, { batch, job, fence }: ClaimedJob): WorkFolder => {
  const path = join(root, batch, `${job}-${fence}`)
  return {
    path,
    producer: join(path, 'producer'),
    system: join(path, 'system'),
    parts: join(path, 'parts'),
    unpacked: join(path, 'unpacked'),
    submissionManifest: join(path, 'mrt-submission-manifest.txt'),
    producerFiles: join(path, 'producer-files.ndjson'),
    storageManifest: join(path, 'storage-manifest.ndjson'),
  }
}

/** The folder of a claim, with all that was done under the claims before. */
export const takeWorkFolder = async (root: string, claimed: ClaimedJob): Promise<WorkFolder> => {
  const folder = workFolderOf(root, claimed)
  for (let fence = claimed.fence - 1; fence > 0; fence--)
    if (await moved(workFolderOf(root, { ...claimed, fence }).path, folder.path)) break
  return folder
}

/** False where there is none. */
const moved = async (from: string, to: string): Promise<boolean> => {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** The folders of a job that is over, whosever they were; `fence`: the last. */
export const removeWorkFolders = async (root: string, job: ClaimedJob): Promise<void> => {
  for (let fence = job.fence; fence > 0; fence--)
    await rm(workFolderOf(root, { ...job, fence }).path, { recursive: true, force: true })
}

const opening = 'opening-'

/** Where a batch has what is needed to open it, of one claim. */
export const openingFolderOf = (root: string, batch: string, fence: number): string =>
  join(root, batch, `${opening}${fence}`)

/** The folder of a batch that has none of a job any more; false where there is one. */
export const removeBatchFolder = async (root: string, batch: string): Promise<boolean> => {
  const folder = join(root, batch)
  if (!(await namesIn(folder)).every((name) => name.startsWith(opening))) return false
  await rm(folder, { recursive: true, force: true })
  return true
}

/** None where it is not there. */
const namesIn = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })

export const syncFile = async (path: string): Promise<void> => {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
