import { type Checksum, normalise } from './checksum.ts'
import type { LaggingIndex } from './events.ts'
import type { ContentObservation, StorageObservation, Word } from './messages.ts'

/** The four witnesses that are compared. `read` content has every digest that was computed. */
export interface Witnesses {
  readonly content: ContentObservation
  readonly storage: StorageObservation
  readonly index: Word | LaggingIndex
  readonly audit: Word
  /**
   * The observer's value of the same index, or of the same audit log, if `index` or `audit` is our own record of it.
   */
  readonly observedIndex?: Word
  readonly observedAudit?: Word
}

/** One witness's report of the bytes. */
interface Testimony {
  readonly checksums: readonly Checksum[]
  readonly size?: number | undefined
}

type Comparison = 'equal' | 'differ' | 'not comparable'

/**
 * Equal: at least one algorithm is shared, and all shared values are equal. Differ: any shared value differs. Sizes can
 * show a difference, never an equality. Unknown algorithms and multipart tags do not count as values.
 */
export const compare = (one: Testimony, other: Testimony): Comparison =>
  compareHeard(heardOf(one), heardOf(other))

/** A testimony with its comparable digests. */
interface Heard {
  readonly digests: readonly Checksum[]
  readonly size: number | undefined
}

const heardOf = ({ checksums, size }: Testimony): Heard => ({ digests: digests({ checksums }), size })

const compareHeard = (one: Heard, other: Heard): Comparison => {
  if (one.size !== undefined && other.size !== undefined && one.size !== other.size) return 'differ'
  let isShared = false
  for (const mine of one.digests)
    for (const their of other.digests) {
      if (mine.algorithm !== their.algorithm) continue
      if (mine.value !== their.value) return 'differ'
      isShared = true
    }
  return isShared ? 'equal' : 'not comparable'
}

/** Returns the checksums that can be compared, in normal form. An algorithm with two values gives none. */
export const digests = ({ checksums }: Pick<Testimony, 'checksums'>): readonly Checksum[] => {
  // Mostly there is one checksum: nothing contradicts it.
  if (checksums.length <= 1) return checksums.flatMap((checksum) => normalise(checksum) ?? [])
  return [...valuesOf({ checksums })].flatMap(([algorithm, [value, ...others]]) =>
    value !== undefined && others.length === 0 ? [{ algorithm, value }] : [],
  )
}

/** Returns the algorithms with two values: one of them is wrong, and it is unknown which. */
export const contradictions = ({ checksums }: Pick<Testimony, 'checksums'>): readonly string[] =>
  checksums.length <= 1
    ? []
    : [...valuesOf({ checksums })].filter(([, { size }]) => size > 1).map(([algorithm]) => algorithm)

/** Returns the checksums of a record that cannot be compared. */
export const unusable = ({ checksums }: Pick<Testimony, 'checksums'>): readonly Checksum[] => {
  const contradictory = contradictions({ checksums })
  return checksums.filter((checksum) => {
    const normal = normalise(checksum)
    return normal === undefined || contradictory.includes(normal.algorithm)
  })
}

/**
 * Returns the records for which the observer's value differs from our own: it may be late, or one of the two is wrong.
 */
export const disputed = ({
  index,
  observedIndex,
  audit,
  observedAudit,
}: Witnesses): readonly ('content index' | 'audit log')[] => [
  ...(differ(index, observedIndex) ? (['content index'] as const) : []),
  ...(differ(audit, observedAudit) ? (['audit log'] as const) : []),
]

const differ = (own: Witnesses['index'], observed: Word | undefined): boolean => {
  if (observed === undefined || own.status === 'lagging') return false
  if (own.status !== 'recorded' || observed.status !== 'recorded')
    return (own.status === 'recorded') !== (observed.status === 'recorded')
  return compare(own, observed) === 'differ'
}

/**
 * Returns the four witnesses that are compared. The observer's additional values of a record are merged into it, unless
 * the two differ.
 */
export const joined = (witnesses: Witnesses): Witnesses => {
  const { observedIndex, observedAudit, ...four } = witnesses
  if (observedIndex === undefined && observedAudit === undefined) return witnesses
  const { index, audit } = four
  return { ...four, index: joinedWord(index, observedIndex), audit: joinedWord(audit, observedAudit) }
}

const joinedWord = <Own extends Witnesses['index']>(own: Own, observed: Word | undefined): Own | Word => {
  if (own.status !== 'recorded' || observed?.status !== 'recorded' || differ(own, observed)) return own
  const size = own.size ?? observed.size
  const known = valuesOf(own)
  const more = observed.checksums.filter((checksum) => {
    const normal = normalise(checksum)
    return normal !== undefined && !known.get(normal.algorithm)?.has(normal.value)
  })
  return {
    status: 'recorded',
    checksums: [...own.checksums, ...more],
    ...(size !== undefined && { size }),
  }
}

const valuesOf = ({ checksums }: Pick<Testimony, 'checksums'>): ReadonlyMap<string, ReadonlySet<string>> => {
  const values = new Map<string, Set<string>>()
  for (const checksum of checksums) {
    const normal = normalise(checksum)
    if (normal) values.set(normal.algorithm, (values.get(normal.algorithm) ?? new Set()).add(normal.value))
  }
  return values
}

/**
 * True if the content, or the storage's claim if the content was not read, was compared with a checksum that others
 * recorded. False if it was compared with a first reading at most.
 */
export const isOfRecord = (witnesses: Witnesses): boolean => {
  const { content, storage, audit } = joined(witnesses)
  if (audit.status !== 'recorded') return false
  const recorded = digests({ checksums: audit.checksums.filter(({ basis }) => basis === undefined) })
  const seen = content.status === 'read' ? content : storage.status === 'present' ? storage : undefined
  return (
    seen !== undefined &&
    digests(seen).some((own) => recorded.some(({ algorithm }) => algorithm === own.algorithm))
  )
}

/**
 * Returns the observation, and the record that it was compared with, as text: observations of the same state have the
 * same text.
 */
export const seenOf = (witnesses: Witnesses): string => {
  const { content, storage, audit } = joined(witnesses)
  const describe = (witness: Witnesses['content' | 'storage' | 'audit']) => {
    if (!('checksums' in witness)) return witness.status
    const values = digests(witness).map(({ algorithm, value }) => `${algorithm}:${value}`)
    return [witness.status, ...values.toSorted()].join(' ')
  }
  return [content, storage, audit].map(describe).join('\n')
}

const columns = ['content', 'storage', 'index', 'audit'] as const
type Column = (typeof columns)[number]

/**
 * The witnesses in order of trust: the others are compared with the first that gave testimony. Bytes are fact, the
 * audit log is intent.
 */
const byTrust = ['content', 'audit', 'storage', 'index'] as const satisfies readonly Column[]

/**
 * Returns content·storage·index·audit as text, which is all that a verdict depends on: same letter = same value, `-`
 * absent, `n` content not attempted, `?` not comparable with the most trusted witness, `x` removed by the audit log.
 */
export const patternOf = (given: Witnesses): string => {
  const plain = plainPattern(given)
  if (plain !== undefined) return plain
  const witnesses = joined(given)
  const stated = new Map<Column, Heard>()
  for (const column of byTrust)
    if (markOf[column](witnesses) === undefined) stated.set(column, heardOf(testimony(witnesses, column)))
  const heard = [...stated]
  const reference = heard.find(([, { digests }]) => digests.length > 0)
  const leaders: (readonly [Column, Heard])[] = []
  const leaderOf = new Map<Column, Column>()
  for (const [column, own] of heard) {
    if (reference === undefined || !isComparable(own, reference[1])) continue
    const leader = leaders.find(([, known]) => compareHeard(own, known) === 'equal')
    if (!leader) leaders.push([column, own])
    leaderOf.set(column, leader?.[0] ?? column)
  }
  return lettered(columns.map((column) => markOf[column](witnesses) ?? leaderOf.get(column) ?? '?'))
}

/**
 * Fast path for nearly all checks of folders, in a fifth of the time: one digest of the bytes, which the audit log and
 * the index, if it has an entry, report alike with the same size; the storage claims nothing. Undefined for all else.
 */
const plainPattern = (witnesses: Witnesses): string | undefined => {
  const { content, storage, index, audit } = witnesses
  if (witnesses.observedIndex ?? witnesses.observedAudit) return undefined
  if (content.status !== 'read' || content.checksums.length !== 1 || storage.status !== 'present')
    return undefined
  const [found] = content.checksums as [Checksum]
  const isStated = ({ checksums: [stated, ...others], size = content.size }: Testimony): boolean =>
    stated !== undefined &&
    others.length === 0 &&
    stated.basis !== 'unusable' &&
    stated.algorithm === found.algorithm &&
    stated.value === found.value &&
    size === content.size
  if (storage.checksums.length > 0 || (storage.size ?? content.size) !== content.size) return undefined
  if (audit.status !== 'recorded' || !isStated(audit)) return undefined
  if (index.status !== 'absent' && (index.status !== 'recorded' || !isStated(index))) return undefined
  // A value that is no digest compares with nothing.
  if (normalise(found)?.value !== found.value) return undefined
  return index.status === 'absent' ? 'A?-A' : 'A?AA'
}

const isComparable = (one: Heard, reference: Heard): boolean =>
  one === reference || compareHeard(one, reference) !== 'not comparable'

/** The mark of a witness that gave no testimony; undefined for one that did. */
const markOf: Record<Column, (witnesses: Witnesses) => string | undefined> = {
  content: ({ content }) =>
    ({ read: undefined, missing: '-', 'not-attempted': 'n', failed: '?', changing: '?' })[content.status],
  storage: ({ storage }) => (storage.status === 'missing' ? '-' : undefined),
  index: ({ index }) => ({ recorded: undefined, absent: '-', removed: '-', lagging: '?' })[index.status],
  audit: ({ audit }) => ({ recorded: undefined, absent: '-', removed: 'x' })[audit.status],
}

const testimony = (witnesses: Witnesses, column: Column): Testimony => {
  const witness = witnesses[column]
  return 'checksums' in witness ? witness : { checksums: [] }
}

/** Replaces names of leaders by letters, A for the first column that has one. */
const lettered = (marks: readonly string[]): string => {
  const names = [...new Set(marks.filter((mark) => mark.length > 1))]
  return marks.map((mark) => (mark.length > 1 ? 'ABCD'.charAt(names.indexOf(mark)) : mark)).join('')
}
