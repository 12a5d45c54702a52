import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/*
 * Folder of one job's files until they are stored: `<batch>/<job>-<fence>/`, of one claim. The next claim of the job
 * renames the folder to its own name. So a worker that lost its claim without knowing it finds nothing at its paths any
 * more, and damages nothing.
 */
export interface WorkFolder {
  readonly path: string
  /** Submitted files. */
  readonly producer: string
  /** Metadata files of Fonds. */
  readonly system: string
  /** Downloads under way. */
  readonly parts: string
  /** Content of a container, until it was checked. */
  readonly unpacked: string
  /** The depositor's manifest, unchanged. */
  readonly submissionManifest: string
  /** Files in `producer`, with size and digest: written when they are complete. */
  readonly producerFiles: string
  /** List of all files to store. */
  readonly storageManifest: string
}

interface ClaimedJob {
  readonly batch: string
  readonly job: number
  /** Fence of the claim. */
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

/** Returns the folder of a claim, with the files of earlier claims. */
export const takeWorkFolder = async (root: string, claimed: ClaimedJob): Promise<WorkFolder> => {
  const folder = workFolderOf(root, claimed)
  for (let fence = claimed.fence - 1; fence > 0; fence--)
    if (await moved(workFolderOf(root, { ...claimed, fence }).path, folder.path)) break
  return folder
}

/** False if the source is missing. */
const moved = async (from: string, to: string): Promise<boolean> => {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** Deletes the folders of an ended job, of all its claims; `fence`: the last. */
export const removeWorkFolders = async (root: string, job: ClaimedJob): Promise<void> => {
  for (let fence = job.fence; fence > 0; fence--)
    await rm(workFolderOf(root, { ...job, fence }).path, { recursive: true, force: true })
}

const opening = 'opening-'

/** Returns the folder of one claim for opening a batch. */
export const openingFolderOf = (root: string, batch: string, fence: number): string =>
  join(root, batch, `${opening}${fence}`)

/** Deletes the folder of a batch unless it has one of a job: then returns false. */
export const removeBatchFolder = async (root: string, batch: string): Promise<boolean> => {
  const folder = join(root, batch)
  if (!(await namesIn(folder)).every((name) => name.startsWith(opening))) return false
  await rm(folder, { recursive: true, force: true })
  return true
}

/** Empty if the folder is missing. */
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
