import type { Differences } from '../../../domain/fixity/comparison/events.ts'

/** A file that a comparison names. */
export interface NamedDifference {
  readonly difference: 'new' | 'missing' | 'moved' | 'changed'
  readonly path: string
  /** For a moved file its new path; for one whose size changed both sizes. */
  readonly detail: string
  /** Bytes, as found, of one whose size changed. */
  readonly size?: number
}

/** The files of each class in the order of the comparison. */
export const namedIn = (first: Differences['first']): readonly NamedDifference[] => [
  ...first.new.map((path) => ({ difference: 'new', path, detail: '' }) as const),
  ...first.missing.map((path) => ({ difference: 'missing', path, detail: '' }) as const),
  ...first.moved.map(({ from, to }) => ({ difference: 'moved', path: from, detail: `is at ${to}` }) as const),
  ...first.changed.map(
    ({ path, size, recorded }) =>
      ({ difference: 'changed', path, size, detail: `has ${size} bytes; ${recorded} are recorded` }) as const,
  ),
]
