import { posix } from 'node:path'
import { declarationFile } from '@fonds/bag'
import * as E from 'fp-ts/lib/Either.js'
import { sideBySide } from '../../async/side-by-side.ts'
import { items } from '../../domain/fixity/views.ts'
import { type ConditionOn, is, tally } from '../../domain/kernel/read-views.ts'
import type { Views } from '../../domain/kernel/view.ts'
import type { ContentStore, SkippedEntry } from '../../ports/content-store.ts'
import type { Exclusion } from './exclusion.ts'

/** Differences between a folder and its records. Paths are in byte order. */
export interface Attendance {
  /** Present, and not recorded. */
  readonly fresh: readonly string[]
  /** Recorded and expected, and missing; without items that a person declared lost. */
  readonly missing: readonly string[]
  /** Present, not recorded, and left out by a pattern, or as litter. */
  readonly excluded: number
  /** Entries that may be content and could not be inspected or named. */
  readonly unlisted: readonly SkippedEntry[]
  /** Folders with a bag's declaration; `''` is the root. */
  readonly bagFolders: readonly string[]
}

/** Names that are looked up together. */
const chunkSize = 1000
const width = 32

/**
 * Compares the folder with the records below a prefix: one listing, and no access to files that are where they should
 * be.
 */
export const attendance = async (
  views: Pick<Views, 'tally'>,
  content: ContentStore,
  {
    store,
    prefix,
    isExcluded,
    asOf,
  }: {
    readonly store: string
    readonly prefix: string
    readonly isExcluded: Exclusion
    /** Time of the listing, if it is not of now: items that were recorded later are not missing from it. */
    readonly asOf?: string | undefined
  },
): Promise<Attendance> => {
  const fresh: string[] = []
  const absent: string[] = []
  const unlisted: SkippedEntry[] = []
  const bagFolders: string[] = []
  let excluded = 0
  let after = ''
  const compare = (names: readonly string[], last: string | undefined) => {
    const known = knownBetween(views, { store, prefix, asOf }, after, last)
    for (const path of names) {
      const state = known.get(path)
      known.delete(path)
      if (state !== undefined) continue
      if (isExcluded(path)) excluded++
      else fresh.push(path)
    }
    for (const [path, state] of known) if (state === 'expected') absent.push(path)
    after = last ?? after
  }
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  let isWhole = true
  let chunk: string[] = []
  for await (const listed of content.names(folder)) {
    if (listed.kind === 'skipped') {
      if (!listed.skipped.mayBeContent) continue
      unlisted.push(listed.skipped)
      isWhole &&= listed.skipped.path !== (folder.slice(0, -1) || '.')
      continue
    }
    if (!listed.path.startsWith(prefix)) continue
    chunk.push(listed.path)
    if (posix.basename(listed.path) === declarationFile)
      bagFolders.push(listed.path.slice(0, Math.max(0, listed.path.lastIndexOf('/'))))
    if (chunk.length < chunkSize) continue
    compare(chunk, listed.path)
    chunk = []
  }
  // A listing that broke off says nothing of what it did not reach.
  compare(chunk, isWhole ? undefined : (chunk.at(-1) ?? after))
  return { fresh, missing: await notThere(content, absent), excluded, unlisted, bagFolders }
}

/** Returns the known paths after `after`, up to `last`. */
const knownBetween = (
  views: Pick<Views, 'tally'>,
  {
    store,
    prefix,
    asOf,
  }: { readonly store: string; readonly prefix: string; readonly asOf: string | undefined },
  after: string,
  last: string | undefined,
): Map<string, 'expected' | 'other'> => {
  const where: ConditionOn<typeof items>[] = [
    is('store', store),
    { column: 'recordedAt', is: '!=', value: null },
    { column: 'path', is: '>', value: after },
    ...(last === undefined ? [] : [{ column: 'path', is: '<=', value: last } as const]),
    ...(prefix ? [{ column: 'path', is: 'prefix', value: prefix } as const] : []),
  ]
  const known = tally(views, items, { by: ['path', 'removed', 'state', 'recordedAt'], where })
  return new Map(
    known
      .filter(({ removed }) => removed === 0)
      .map(({ path, state, recordedAt }) => {
        const isLater = asOf !== undefined && (recordedAt ?? '') > asOf
        return [path, state === 'lost' || isLater ? 'other' : 'expected']
      }),
  )
}

/** Returns the paths that do not exist. A link inside the store is not listed, and exists. */
const notThere = async (content: ContentStore, paths: readonly string[]): Promise<readonly string[]> => {
  const missing = await sideBySide(paths, width, async (path) => {
    const found = await content.stat(path)()
    return E.isLeft(found) && found.left.kind === 'NotFound' ? [path] : []
  })
  return missing.flat().sort()
}
