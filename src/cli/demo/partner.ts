import { createHash } from 'node:crypto'
import type { ContentObservedMessage, ContentRecordedMessage } from '../../domain/fixity/messages.ts'

/*
 * Reports of a partner's storage service on the copies that it keeps for us: a case for each row of fixity's table that
 * needs a storage with checksums. Values: content, storage, index, audit log.
 */

type Words = readonly [content: string | null, storage: string, index: string, audit: string]

const cases: Readonly<Record<string, Words>> = {
  'F1-agreement': ['good', 'good', 'good', 'good'],
  'F1-never-downloaded': [null, 'good', 'good', 'good'],
  'F2-sour': ['bad', 'good', 'good', 'good'],
  'F3-wrong-claim': ['good', 'bad', 'good', 'good'],
  'F5-wrong-index': ['good', 'good', 'bad', 'good'],
  'F6-wrong-audit': ['good', 'good', 'good', 'bad'],
  'F10-unseen-update': ['good', 'good', 'bad', 'worse'],
}

const digest = (text: string) => [
  { algorithm: 'sha-256', value: createHash('sha256').update(text).digest('hex') },
]

const item = (name: string) => ({ store: 'partner', path: `replica/${name}.tif` })

/** From the partner's deposit receipts. */
export const receipts = (): readonly ContentRecordedMessage[] =>
  Object.entries(cases).map(([name, [, , , audit]]) => ({
    ...item(name),
    checksums: digest(audit),
    recordedFrom: 'deposit receipt',
  }))

/** A report on each copy. */
export const observations = (observedAt: string): readonly ContentObservedMessage[] =>
  Object.entries(cases).map(([name, [content, storage, index, audit]]) => ({
    ...item(name),
    content:
      content === null
        ? { status: 'not-attempted' }
        : { status: 'read', size: content.length, checksums: digest(content) },
    storage: { status: 'present', checksums: digest(storage) },
    index: { status: 'recorded', checksums: digest(index) },
    audit: { status: 'recorded', checksums: digest(audit) },
    observedAt,
  }))
