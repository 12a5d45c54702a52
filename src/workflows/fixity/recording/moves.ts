import type { Checksum } from '../../../domain/fixity/checksum.ts'
import { items } from '../../../domain/fixity/views.ts'
import { digests } from '../../../domain/fixity/witness.ts'
import { is, rows } from '../../../domain/kernel/read-views.ts'
import type { RowOf, Views } from '../../../domain/kernel/view.ts'

/** A recorded file that is not there, and one elsewhere of the same bytes. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** A file that is present and not recorded, as it was read. */
export interface NewFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly checksums: readonly Checksum[]
}

/** Most new files that are searched for moved ones. */
export const maxMoved = 100_000

export type ItemRow = RowOf<typeof items>

const pageSize = 1000

/**
 * Reports a move if exactly one missing file and exactly one other file have a digest, and the other was recorded after
 * the missing one was last seen, or is not recorded yet. Empty files are all equal, and are never reported as moved.
 * Reads every recorded item: to be called only if files are missing.
 */
export const movesIn = (
  views: Pick<Views, 'query'>,
  store: string,
  missing: readonly ItemRow[],
  fresh: readonly NewFile[],
): readonly Move[] => {
  const from = byDigest(missing)
  const isMissing = new Set(missing.map(({ path }) => path))
  const there: { path: string; checksums: readonly Checksum[]; since: string | undefined }[] = fresh
    .filter(({ size }) => size > 0)
    .map(({ path, checksums }) => ({ path, checksums, since: undefined }))
  for (const row of from.size > 0 ? recordedItems(views, store) : [])
    if (row.size !== 0 && !isMissing.has(row.path) && digestsOf(row).some((digest) => from.has(digest)))
      there.push({ path: row.path, checksums: row.checksums, since: row.recordedAt ?? '' })
  const to = byDigest(there)
  const moves = new Map<string, Move>()
  for (const [digest, [old, ...others]] of from) {
    const [now, ...more] = to.get(digest) ?? []
    if (!old || !now || others.length + more.length > 0) continue
    const seenAt = old.lastAgreed ?? old.lastVerified ?? old.recordedAt ?? ''
    if (now.since === undefined || now.since > seenAt) moves.set(old.path, { from: old.path, to: now.path })
  }
  return [...moves.values()].sort((a, b) => (a.from < b.from ? -1 : 1))
}

/** Returns the rows of these paths. */
export const rowsOf = (
  views: Pick<Views, 'query'>,
  store: string,
  paths: readonly string[],
): readonly ItemRow[] => {
  const found: ItemRow[] = []
  for (let i = 0; i < paths.length; i += pageSize) {
    const path = { column: 'path', is: 'in', value: paths.slice(i, i + pageSize) } as const
    found.push(...rows(views, items, { where: [is('store', store), path] }))
  }
  return found
}

/** Every expected item of a store that was recorded, by path; read a page at a time. */
export function* recordedItems(views: Pick<Views, 'query'>, store: string): Generator<ItemRow> {
  for (let after = ''; ; ) {
    const page = rows(views, items, {
      where: [is('store', store), is('removed', 0), { column: 'path', is: '>', value: after }],
      orderBy: [{ column: 'path' }],
      limit: pageSize,
    })
    yield* page.filter(({ recordedAt }) => recordedAt !== null)
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last.path
  }
}

interface WithDigests {
  readonly path: string
  readonly checksums: readonly Checksum[]
}

const digestsOf = ({ checksums }: Pick<WithDigests, 'checksums'>): readonly string[] =>
  digests({ checksums }).map(({ algorithm, value }) => `${algorithm}:${value}`)

const byDigest = <File extends WithDigests>(files: readonly File[]): ReadonlyMap<string, readonly File[]> => {
  const found = new Map<string, File[]>()
  for (const file of files)
    for (const digest of digestsOf(file)) {
      const known = found.get(digest)
      if (known) known.push(file)
      else found.set(digest, [file])
    }
  return found
}
