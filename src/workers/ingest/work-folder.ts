import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where the files of one job lie until they are stored. Any worker that has the work volume may go on with it. */
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

export const workFolderOf = (
  root: string,
  { batch, job }: { readonly batch: string; readonly job: number },
): WorkFolder => {
  const path = join(root, batch, String(job))
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

/** The folder of a job that is over. Those of its batch stay. */
export const removeWorkFolder = async ({ path }: WorkFolder): Promise<void> => {
  await rm(path, { recursive: true, force: true })
}

export const syncFile = async (path: string): Promise<void> => {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The names in a folder, and in all below it, are on disk. */
export const syncFolders = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name))
  await syncFile(folder)
}

/** Whole or not at all: written beside its place, on disk, then moved there. */
export const writeWhole = async (path: string, chunks: Iterable<string>): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.unfinished`
  const file = await open(unfinished, 'w')
  try {
    for (const chunk of inBlocks(chunks)) await file.write(chunk)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
  await syncFile(dirname(path))
}

const blockLength = 64 * 1024

/** A write for each line would take longer than the lines. */
function* inBlocks(chunks: Iterable<string>): Generator<string> {
  let block = ''
  for (const chunk of chunks) {
    block += chunk
    if (block.length < blockLength) continue
    yield block
    block = ''
  }
  if (block !== '') yield block
}
