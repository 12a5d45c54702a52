import * as E from 'fp-ts/lib/Either.js'
import { sideBySide } from '../../async/side-by-side.ts'
import type { Checksum } from '../../domain/fixity/checksum.ts'
import { items } from '../../domain/fixity/views.ts'
import { digests } from '../../domain/fixity/witness.ts'
import { is, rows } from '../../domain/kernel/read-views.ts'
import type { Views } from '../../domain/kernel/view.ts'
import type { ContentStore } from '../../ports/content-store.ts'

/** A recorded file that is not there, and a new one, elsewhere, of the same bytes. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** A file that a run has recorded. */
export interface NewFile {
  readonly path: string
  /** Bytes; absent where it is not there. */
  readonly size?: number
  readonly checksums: readonly Checksum[]
}

const pageSize = 1000
const width = 32

/**
 * A move is told where one new file alone and one missing file alone have a digest; empty files all look the same. Every
 * recorded item is looked for, so that this costs where something is new and nowhere else.
 */
export const movesIn = async (
  views: Pick<Views, 'query'>,
  content: ContentStore,
  store: string,
  added: readonly NewFile[],
): Promise<readonly Move[]> => {
  const newPaths = new Set(added.map(({ path }) => path))
  const to = byDigest(added.filter(({ size = 0 }) => size > 0))
  const missing: { path: string; checksums: readonly Checksum[] }[] = []
  for (let after = ''; to.size > 0; ) {
    const page = rows(views, items, {
      where: [is('store', store), { column: 'path', is: '>', value: after }],
      orderBy: [{ column: 'path' }],
      limit: pageSize,
    })
    const wanted = page.filter(
      ({ path, recordedAt, removed, checksums }) =>
        recordedAt !== null &&
        removed === 0 &&
        !newPaths.has(path) &&
        digestsOf(checksums).some((digest) => to.has(digest)),
    )
    await sideBySide(wanted, width, async ({ path, checksums }) => {
      const found = await content.stat(path)()
      if (E.isLeft(found) && found.left.kind === 'NotFound') missing.push({ path, checksums })
    })
    const last = page.at(-1)
    if (!last || page.length < pageSize) break
    after = last.path
  }
  const from = byDigest(missing)
  const moves = new Map<string, Move>()
  for (const [digest, paths] of from) {
    const [old, ...others] = [...paths]
    const [now, ...more] = [...(to.get(digest) ?? [])]
    if (old !== undefined && now !== undefined && others.length + more.length === 0)
      moves.set(old, { from: old, to: now })
  }
  return [...moves.values()].sort((a, b) => (a.from < b.from ? -1 : 1))
}

const digestsOf = (checksums: readonly Checksum[]): readonly string[] =>
  digests({ checksums }).map(({ algorithm, value }) => `${algorithm}:${value}`)

const byDigest = (
  files: readonly { readonly path: string; readonly checksums: readonly Checksum[] }[],
): ReadonlyMap<string, ReadonlySet<string>> => {
  const paths = new Map<string, Set<string>>()
  for (const { path, checksums } of files)
    for (const digest of digestsOf(checksums)) paths.set(digest, (paths.get(digest) ?? new Set()).add(path))
  return paths
}
