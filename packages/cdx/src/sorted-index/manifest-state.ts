import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { oneByOne } from '@fonds/toolbox'
import { makeFolderSync } from '@fonds/toolbox/disk'
import { IndexUnavailable } from './index-errors.ts'
import { type Holdings, holdingsOf } from './lineage.ts'
import { forget } from './losses.ts'
import { type Manifest, type Run, readManifest, writeManifest } from './manifest.ts'
import { readTable } from './run-files.ts'
import { sweep } from './sweep.ts'

interface State {
  readonly manifest: Manifest
  readonly holdings: Holdings
}

interface Swap<A> {
  readonly manifest: Manifest
  readonly result: A
}

/** The manifest, which one process at a time may change. */
export interface ManifestState {
  /** Writes the manifest that `work` returns, if it is another one. Runs one `work` after the other. */
  swap<A>(work: (state: State) => Swap<A> | Promise<Swap<A>>): Promise<A>
  read(): Promise<Manifest>
  /** Releases the lock. */
  close(): Promise<void>
}

interface ManifestStateSettings {
  readonly unpublishedMillis: number
  readonly now: () => number
}

/** The lock is taken when it is first needed, and kept. */
export const createManifestState = (
  folder: string,
  { unpublishedMillis, now }: ManifestStateSettings,
): ManifestState => {
  const inOrder = oneByOne()
  let release: (() => void) | undefined
  let state: State | undefined

  const load = (): State => {
    makeFolderSync(folder)
    const isNew = release === undefined
    release ??= takeWriterLock(folder)
    const manifest = readManifest(folder)
    if (isNew) sweep(folder, manifest, now(), unpublishedMillis)
    const holdings = holdingsOf(manifest.live, (run: Run) => readTable(folder, run))
    for (const { publications } of manifest.losses ?? []) forget(holdings, publications)
    return { manifest, holdings }
  }

  /** A state that cannot be written is dropped: the manifest on disk is read again. */
  const swap: ManifestState['swap'] = (work) =>
    inOrder(async () => {
      state ??= load()
      try {
        const { manifest, result } = await work(state)
        if (manifest !== state.manifest) writeManifest(folder, manifest)
        state = { manifest, holdings: state.holdings }
        return result
      } catch (error) {
        state = undefined
        throw error
      }
    })

  return {
    swap,
    read: () => swap(({ manifest }) => ({ manifest, result: manifest })),
    close: () =>
      inOrder(async () => {
        release?.()
        release = undefined
        state = undefined
      }),
  }
}

/**
 * Lets one process change the index at a time. Node has no file locks, but SQLite has: an exclusive
 * transaction ends with its process, however that ends. Throws `IndexUnavailable` while another process has
 * the lock. The result releases it.
 */
const takeWriterLock = (folder: string): (() => void) => {
  const db = new DatabaseSync(join(folder, 'writer.lock'), { timeout: 0 })
  try {
    db.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    db.close()
    throw new IndexUnavailable(`another process changes the capture index in ${folder}`, { cause })
  }
  return () => db.close()
}
