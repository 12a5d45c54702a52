import { normaliseDigest } from '@fonds/digests'
import type { ListedFile } from './inputs.ts'
import {
  type Checksum,
  type ContentRecorded,
  type ContentRemoved,
  contentTopic,
  type IndexRecorded,
  indexTopic,
  versionText,
} from './outputs.ts'

/* Messages of the rule `fixity` about a version, and about its withdrawal. */

/** A file beside the content, with the digest of the text that its writer wrote. */
interface RecordFile {
  readonly place: string
  readonly sha256: string
  readonly size: number
}

/** Files that a version brought, by its inventory; places are from the object's folder. */
export interface Brought {
  /** The object's folder, from the root. */
  readonly folder: string
  readonly files: readonly { readonly place: string; readonly sha256: string }[]
  readonly records: readonly RecordFile[]
  readonly shared: readonly RecordFile[]
}

export interface OfVersion {
  readonly object: string
  readonly version: number
  readonly batch: string | undefined
  readonly store: string
  /** True if what stands at the top of the object is this version's. */
  readonly isLast: boolean
}

export type Sent =
  | { readonly topic: typeof contentTopic; readonly type: 'content.recorded'; readonly data: ContentRecorded }
  | { readonly topic: typeof contentTopic; readonly type: 'content.removed'; readonly data: ContentRemoved }
  | { readonly topic: typeof indexTopic; readonly type: 'index.recorded'; readonly data: IndexRecorded }

/** Size and declared digests of the version's files, by their SHA-256: several names may have the same bytes. */
export type Listed = ReadonlyMap<string, { readonly size: number; readonly declared: readonly Checksum[] }>

/** Digests that nobody can compare are left out: the file is then recorded by what ingest computed. */
export const addListed = (
  listed: Map<string, { readonly size: number; readonly declared: readonly Checksum[] }>,
  files: readonly ListedFile[],
): void => {
  for (const { sha256, size, declared } of files) {
    const known = listed.get(sha256)?.declared ?? []
    const more = Object.entries(declared?.digests ?? {})
      .flatMap(([algorithm, value]) => normaliseDigest({ algorithm, value }) ?? [])
      .filter(({ algorithm }) => !known.some((one) => one.algorithm === algorithm))
    listed.set(sha256, { size, declared: [...known, ...more] })
  }
}

/** Number of files that are handed over; `shared` are those at the top of the object. */
export const countsOf = ({ files, records, shared }: Brought, isLast: boolean) => ({
  parts: files.length + records.length,
  shared: isLast ? shared.length : 0,
})

/**
 * Content is recorded by the checksums of its submitter, which ingest has compared with the bytes; else by ingest's own. Where
 * the submitter gave no SHA-256, the inventory's is a further witness, as the index's. The records beside it are as ingest wrote
 * them.
 */
export function* messagesOf(of: OfVersion, brought: Brought, listed: Listed): Generator<Sent> {
  const { store, batch } = of
  const { folder, files, records, shared } = brought
  const from = batch === undefined ? 'an adopted version' : `batch ${batch}`
  for (const { place, sha256 } of files) {
    const { size, declared = [] } = listed.get(sha256) ?? {}
    const own: Checksum = { algorithm: 'sha-256', value: sha256 }
    const path = `${folder}/${place}`
    const sized = size === undefined ? {} : { size }
    yield recorded(
      of,
      path,
      declared.length > 0
        ? { checksums: [...declared], recordedFrom: `the submitter, ${from}`, ...sized }
        : { checksums: [own], recordedFrom: `ingest, ${from}`, ...sized },
    )
    if (declared.length > 0 && !declared.some(({ algorithm }) => algorithm === own.algorithm))
      yield {
        topic: indexTopic,
        type: 'index.recorded',
        data: { store, path, checksums: [own], ...sized },
      }
  }
  yield* recordMessages(of, folder, [...records, ...(of.isLast ? shared : [])], from)
}

/** Files at the top of an object: as a version left them that is the last again. */
export const sharedMessages = (
  of: Omit<OfVersion, 'isLast'>,
  { folder, shared }: Pick<Brought, 'folder' | 'shared'>,
): readonly Sent[] => [...recordMessages(of, folder, shared, 'a version that is the last again')]

function* recordMessages(
  of: Omit<OfVersion, 'isLast'>,
  folder: string,
  records: readonly RecordFile[],
  from: string,
): Generator<Sent> {
  for (const { place, sha256, size } of records)
    yield recorded(of, `${folder}/${place}`, {
      checksums: [{ algorithm: 'sha-256', value: sha256 }],
      size,
      recordedFrom: `ingest, ${from}`,
    })
}

const recorded = (
  { object, version, store }: Omit<OfVersion, 'isLast'>,
  path: string,
  record: Pick<ContentRecorded, 'checksums' | 'size' | 'recordedFrom'>,
): Sent => ({
  topic: contentTopic,
  type: 'content.recorded',
  data: { store, path, version: versionText(object, version), ...record },
})

export const removed = (store: string, path: string, reason: string): Sent => ({
  topic: contentTopic,
  type: 'content.removed',
  data: { store, path, reason },
})
