import { statSync, writeFileSync } from 'node:fs'
import { estimatedBytes, isSystemError, recentCache } from '@fonds/toolbox'
import { createBlockFiles } from './block-files.ts'
import { changedLines } from './changed-lines.ts'
import { IndexUnavailable } from './index-errors.ts'
import { type Manifest, manifestFile, type Run, readManifest } from './manifest.ts'
import type { Origins } from './origins.ts'
import { createRunBlocks } from './run-blocks.ts'
import { readTable, suspectFile } from './run-files.ts'
import { type RunView, scanRuns } from './scan.ts'
import type { ChangedLine, ChangesWanted, ScanRange } from './types.ts'
import { visibleAtOnce, visibleIn } from './visible.ts'

interface ReaderSettings {
  readonly maxOpenFiles: number
  readonly maxCacheBytes: number
}

/** Reads the runs of one manifest for each scan. Reads the manifest again once its file was replaced. */
export const createReader = (folder: string, { maxOpenFiles, maxCacheBytes }: ReaderSettings) => {
  const files = createBlockFiles(maxOpenFiles)
  const suspected = new Set<string>()
  /** Leaves a mark for the process that writes the index, which then verifies the run. */
  const suspect = ({ name }: Run): void => {
    if (suspected.has(name)) return
    suspected.add(name)
    try {
      writeFileSync(suspectFile(folder, name), '')
    } catch (error) {
      if (!isSystemError(error)) throw error
    }
  }
  const blocks = createRunBlocks(folder, files, maxCacheBytes, suspect)
  const tables = recentCache<Origins>(maxCacheBytes / 4, estimatedBytes)
  /** The manifests of scans under way. */
  const scanned = new Set<{ readonly manifest: Manifest }>()
  let known: { readonly version: string; readonly manifest: Manifest } | undefined

  const manifest = (): Manifest => {
    const version = versionOf(manifestFile(folder))
    if (known?.version !== version) known = { version, manifest: readManifest(folder) }
    return known.manifest
  }

  const tableOf = (run: Run): Origins => {
    // Not cached: its end is known only once it has ended.
    if (run.publication) return readTable(folder, run)
    const cached = tables.get(run.name)
    if (cached) return cached
    const table = readTable(folder, run)
    tables.set(run.name, table)
    return table
  }

  const heldLines =
    (asOf: bigint | undefined) =>
    ({ lastRemoval }: Manifest): RunView<Buffer> => ({
      includesRemoved: asOf !== undefined,
      visible: (run, isRemoved) => {
        const asked = { isRemoved, asOf, hasRemovals: lastRemoval !== undefined }
        return visibleAtOnce(run, asked) ?? visibleIn(run, tableOf(run), asked)
      },
      take: (line, rank) => (rank > 0 ? line : undefined),
    })

  async function* readView<A>(
    viewOf: (manifest: Manifest) => RunView<A>,
    range: Omit<ScanRange, 'asOf'>,
  ): AsyncGenerator<readonly A[]> {
    for (;;) {
      const own = { manifest: manifest() }
      let hasBegun = false
      scanned.add(own)
      try {
        for await (const batch of scanRuns(own.manifest, blocks, viewOf(own.manifest), range)) {
          hasBegun = true
          yield batch
        }
        return
      } catch (error) {
        if (!isSystemError(error, 'ENOENT')) throw error
        // Another process deleted a run that was replaced.
        const isStale = manifest() !== own.manifest
        if (hasBegun || !isStale)
          throw new IndexUnavailable(
            isStale
              ? 'the index was merged while it was read, and the read took longer than replaced runs are kept: ask again'
              : `a run of the capture index is missing: put a backup of ${folder} in its place (${error.message})`,
            { cause: error },
          )
      } finally {
        scanned.delete(own)
      }
    }
  }

  const scan = (range: ScanRange): AsyncGenerator<readonly Buffer[]> => readView(heldLines(range.asOf), range)

  return {
    manifest,
    isRead: (name: string): boolean =>
      [...scanned].some(({ manifest: { live, removed } }) =>
        [...live, ...removed].some((run) => run.name === name),
      ),

    /** Yields the lines that hold in the runs of this manifest, which must not change meanwhile. */
    scanOf: (of: Manifest): AsyncGenerator<readonly Buffer[]> =>
      scanRuns(of, blocks, heldLines(undefined)(of), {}),
    scan,
    changed: (wanted: ChangesWanted): AsyncIterable<readonly ChangedLine[]> =>
      changedLines(wanted, (view, from) => readView(view, from ? { from } : {}), { scan, tableOf }),
    close: () => files.close(),
  }
}

/** Identifies the manifest's file: each swap makes another one. */
const versionOf = (path: string): string => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.dev} ${found.ino} ${found.mtimeNs} ${found.size}` : ''
}
