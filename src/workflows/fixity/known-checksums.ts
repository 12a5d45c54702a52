import type { Checksum } from '../../domain/fixity/checksum.ts'
import { items } from '../../domain/fixity/views.ts'
import { is, narrowRows } from '../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Surveyed } from '../../workers/fixity/survey.ts'

/** By path, for items that are expected. */
export type KnownChecksums = ReadonlyMap<string, readonly Checksum[]>

export interface KnownFile {
  readonly checksums: readonly Checksum[]
  /** Bytes; null if nobody recorded them. */
  readonly size: number | null
  /** Time of the last check that read the content and found it as recorded. */
  readonly lastVerified: string | null
}

export const checksumsOf = (known: ReadonlyMap<string, KnownFile>): KnownChecksums =>
  new Map([...known].map(([path, { checksums }]) => [path, checksums]))

export const knownChecksums = (...asked: Parameters<typeof knownFiles>): KnownChecksums =>
  checksumsOf(knownFiles(...asked))

/** Reads all in one query: one query per path took most of the time of adding small files. */
export const knownFiles = (
  { viewStore }: { readonly viewStore: ViewStore },
  store: string,
  found: readonly Surveyed[],
): ReadonlyMap<string, KnownFile> => {
  const paths = found.flatMap((one) => (isContent[one.kind] ? [one.path] : []))
  const rows = narrowRows(viewStore, items, ['path', 'checksums', 'size', 'lastVerified'], {
    where: [
      is('store', store),
      is('removed', 0),
      { column: 'path', is: 'in', value: paths },
      { column: 'recordedAt', is: '!=', value: null },
    ],
  })
  return new Map(rows.map(({ path, ...known }) => [path, known]))
}

/** Entries of other kinds may have names that no item has. */
const isContent: Readonly<Record<Surveyed['kind'], boolean>> = {
  recorded: true,
  unread: true,
  missing: true,
  skipped: false,
  problem: false,
  bag: false,
}
