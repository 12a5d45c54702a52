import type { Column } from '../lines/columns.ts'
import type { CaptureLine } from '../query/capture-line.ts'

/* An answer relates a line to the lines before it, as the Internet Archive's server does. */

export interface Relations {
  /** A revisit gets media type and status of the record that it repeats. */
  readonly resolvesRevisits: boolean
  /** A line gets the number of lines with its digest before it, as `dupecount`. */
  readonly countsDuplicates: boolean
}

/** Relates the lines of one answer, in its order. */
export const relatedLines = ({
  resolvesRevisits,
  countsDuplicates,
}: Relations): ((line: CaptureLine) => CaptureLine) => {
  const resolved = createResolver()
  const counted = createCounter()
  return (line) => {
    const shown = resolvesRevisits ? resolved(line) : line
    return countsDuplicates ? counted(shown) : shown
  }
}

const repeated = ['mime', 'status', 'length', 'offset', 'file'] as const
/**
 * A revisit repeats the first record of the same key and digest. The same bytes at another URL may have another media
 * type or status. Lines of one key stand together, so that no others are held.
 */
const createResolver = () => {
  let key: string | undefined
  /** Digest → the repeated fields, a line each. */
  let originals = new Map<string, string>()
  return (line: CaptureLine): CaptureLine => {
    if (line.key !== key) {
      key = line.key
      originals = new Map()
    }
    const digest = line.field('digest')
    const isRevisit = line.field('mime') === 'warc/revisit'
    const original = originals.get(digest)
    if (isRevisit) return original ? asRepeated(line, original) : line
    if (original === undefined && digest !== '-')
      originals.set(apart(digest), apart(repeated.map((column) => line.field(column)).join('\n')))
    return line
  }
}

/** A line that states its original itself keeps that place. */
const asRepeated = (line: CaptureLine, original: string): CaptureLine => {
  const [mime, status, length, offset, file] = original.split('\n')
  const place = line.field('originalFile') === '-' && {
    originalLength: length,
    originalOffset: offset,
    originalFile: file,
  }
  const texts: { readonly [Name in Column]?: string | undefined } = { mime, status, ...place }
  return { ...line, field: (column) => (column !== 'dupecount' && texts[column]) || line.field(column) }
}

/** A line without a digest is a duplicate of none. */
const createCounter = () => {
  const counts = new Map<string, number>()
  return (line: CaptureLine): CaptureLine => {
    const digest = line.field('digest')
    const before = counts.get(digest)
    if (digest !== '-') counts.set(before === undefined ? apart(digest) : digest, (before ?? -1) + 1)
    const count = String(counts.get(digest) ?? 0)
    return { ...line, field: (column) => (column === 'dupecount' ? count : line.field(column)) }
  }
}

/** A text by itself: a part of a line would hold all of it in memory. */
const apart = (text: string): string => Buffer.from(text).toString()
