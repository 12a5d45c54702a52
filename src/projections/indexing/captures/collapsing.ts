import type { Collapse } from '@fonds/cdx'
import type { Found } from './read-lines.ts'

/** Shows some of consecutive lines, in their order. */
interface Collapsing {
  /** The line to be shown now, if any. */
  next(found: Found): Found | undefined
  /** An earlier answer has shown this line. */
  prime(found: Found): undefined
  /** Lines to be shown at the end. */
  rest(): readonly Found[]
}

/** Applies one collapse after the other. */
export const collapsing = (collapses: readonly Collapse[]): Collapsing =>
  collapses
    .map((collapse) => (collapse.keeps === 'first' ? keepingFirst(collapse) : keepingLast(collapse)))
    .reduce(chained, all)

const all: Collapsing = { next: (found) => found, prime: () => undefined, rest: () => [] }

const keepingFirst = ({ value: of }: Collapse): Collapsing => {
  let last: string | undefined
  return {
    next: (found) => {
      const value = of(found.line)
      if (value === last) return undefined
      last = value
      return found
    },
    prime: ({ line }) => {
      last = of(line)
    },
    rest: () => [],
  }
}

const keepingLast = ({ value: of }: Collapse): Collapsing => {
  let held: Found | undefined
  let value: string | undefined
  return {
    next: (found) => {
      const next = of(found.line)
      const shown = next === value ? undefined : held
      held = found
      value = next
      return shown
    },
    prime: () => undefined,
    rest: () => (held ? [held] : []),
  }
}

const chained = (one: Collapsing, other: Collapsing): Collapsing => ({
  next: (found) => {
    const shown = one.next(found)
    return shown && other.next(shown)
  },
  prime: (found) => {
    one.prime(found)
    return other.prime(found)
  },
  rest: () => [...one.rest().flatMap((found) => other.next(found) ?? []), ...other.rest()],
})
