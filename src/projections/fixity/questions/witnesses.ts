import * as t from 'io-ts'
import type { Evidence } from '../../../domain/fixity/events.ts'
import type { Decision } from './evidence.ts'

const witnessNames = {
  bytes: null,
  storage: null,
  'content index': null,
  'audit log': null,
} as const

/** The word of a witness, as it was received. */
export const Witness = t.type({
  witness: t.keyof(witnessNames),
  /**
   * Its letter in the pattern: the same letter is the same value; null for an observer's word beside our own record.
   */
  mark: t.union([t.string, t.null]),
  /** Its word, as `read`, `recorded`, `missing`. */
  says: t.string,
  checksums: t.readonlyArray(
    t.intersection([t.type({ algorithm: t.string, value: t.string }), t.partial({ basis: t.string })]),
  ),
  /** Bytes. */
  size: t.union([t.number, t.null]),
  source: t.string,
  heardAt: t.string,
})
export type Witness = t.TypeOf<typeof Witness>

type Word = Evidence['content' | 'storage' | 'index' | 'audit']

const wordOf = (witness: Witness['witness'], mark: string | null, word: Word): Witness => ({
  witness,
  mark,
  says: describeWord(word),
  checksums: 'checksums' in word ? word.checksums : [],
  size: 'size' in word ? (word.size ?? null) : null,
  source: word.source,
  heardAt: word.heardAt,
})

const describeWord = (word: Word): string => {
  if (word.status === 'failed') return `failed: ${word.error}`
  if (word.status === 'lagging') return 'not yet up to date with the log'
  return word.status === 'present' && word.checksums.length === 0
    ? 'present, claims no checksum'
    : word.status
}

/** All witnesses of a decision side by side, in the order of its pattern. */
export const witnessesOf = ({ pattern, evidence, observedAt }: Decision): readonly Witness[] => {
  const { content, storage, index, audit, observedIndex, observedAudit } = evidence
  const mark = (place: number) => pattern[place] ?? null
  return [
    wordOf('bytes', mark(0), content),
    wordOf('storage', mark(1), storage),
    index ? wordOf('content index', mark(2), index) : ownIndex(mark(2), audit, observedAt),
    ...(observedIndex ? [wordOf('content index', null, observedIndex)] : []),
    wordOf('audit log', mark(3), audit),
    ...(observedAudit ? [wordOf('audit log', null, observedAudit)] : []),
  ]
}

/** The word of our own index. A batch keeps its letter alone, which says whether it agreed with the audit log. */
const ownIndex = (mark: string | null, audit: Evidence['audit'], heardAt: string): Witness => ({
  witness: 'content index',
  mark,
  says: mark === '-' ? 'absent' : 'our own copy of the audit log',
  checksums: mark === 'A' && audit.status === 'recorded' ? audit.checksums : [],
  size: null,
  source: 'own index',
  heardAt,
})
