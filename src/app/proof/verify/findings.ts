/** A sentence of a verifier: what it saw hold, what it saw not to hold, and what it could not check. */
export interface Finding {
  readonly kind: 'holds' | 'fails' | 'unchecked'
  readonly sentence: string
}

export interface Findings {
  readonly all: readonly Finding[]
  /** Sentences of failures, those that are not kept included. */
  readonly failures: number
  holds(sentence: string): void
  fails(sentence: string): void
  unchecked(sentence: string): void
}

/** The most of one kind: a million changed events are one fact, and fill no memory. */
const mostOfAKind = 1000

export const createFindings = (): Findings => {
  const all: Finding[] = []
  const counts = { holds: 0, fails: 0, unchecked: 0 }
  const add = (kind: Finding['kind']) => (sentence: string) => {
    if (counts[kind]++ < mostOfAKind) all.push({ kind, sentence })
  }
  return {
    all,
    get failures() {
      return counts.fails
    },
    holds: add('holds'),
    fails: add('fails'),
    unchecked: add('unchecked'),
  }
}
