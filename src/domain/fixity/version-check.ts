import type { Checksum } from './checksum.ts'
import type { ContentObservation, StorageObservation } from './messages.ts'
import { compare } from './witness.ts'

/* One version of an item, which may not be the current one: evidence about it alone. */

/** A record of ours that is of the version. */
export interface VersionRecord {
  /** Source of the record, or the check that read it. */
  readonly source: string
  readonly checksums: readonly Checksum[]
  /** Bytes. */
  readonly size?: number
}

export interface VersionSeen {
  readonly content: Extract<ContentObservation, { status: 'read' | 'not-attempted' }>
  readonly storage: Extract<StorageObservation, { status: 'present' }>
  readonly records: readonly VersionRecord[]
}

/**
 * - `agrees`: its bytes were read, and equal a record of ours or the storage's claim; nothing differs.
 * - `unread`: it is archived; the storage's claim equals a record of ours.
 * - `not-compared`: nothing can be compared.
 */
export interface VersionVerdict {
  readonly outcome: 'agrees' | 'differs' | 'unread' | 'not-compared'
  readonly because: string
}

/** Compares the bytes of a version, or the storage's claim where they were not read, with all other words of it. */
export const versionVerdict = ({ content, storage, records }: VersionSeen): VersionVerdict => {
  const isRead = content.status === 'read'
  const subject = isRead ? content : storage
  const words = [
    ...(isRead ? [{ name: 'what the storage reports', found: compare(subject, storage) }] : []),
    ...records.map((record) => ({ name: `the record of ${record.source}`, found: compare(subject, record) })),
  ]
  const namesOf = (found: (typeof words)[number]['found']) =>
    words.filter((word) => word.found === found).map(({ name }) => name)
  const differing = namesOf('differ')
  const equal = namesOf('equal')
  const unread = isRead ? '' : ' Its bytes were not read.'
  const [it, s] = isRead ? ['Its bytes', ''] : ['What the storage reports', 's']
  if (differing.length > 0)
    return { outcome: 'differs', because: `${it} differ${s} from ${listed(differing)}.${unread}` }
  if (equal.length === 0)
    return { outcome: 'not-compared', because: `${it} cannot be compared with anything.${unread}` }
  return { outcome: isRead ? 'agrees' : 'unread', because: `${it} equal${s} ${listed(equal)}.${unread}` }
}

const listed = (names: readonly string[]): string => names.join(', ')
