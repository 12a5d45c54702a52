import type { RecordedEvent } from '../../../../src/domain/kernel/event.ts'
import type { ViewStore } from '../../../../src/ports/view-store.ts'

/* Work that flows through one workflow while nodes are killed, and what must have come of it in the end. */

export interface Traffic {
  /** The workflow: topics of it are `fonds.<name>.…`. */
  readonly name: string
  /** Hands in some more. */
  feed(): Promise<void>
  /** Messages whose producer was told that they are kept; files that lie where they are looked for. */
  acknowledged(): number
  /** So much of what was handed in has not come to its end, as far as these views show. */
  open(views: ViewStore): number
  /** What must be there once, and what is there. */
  found(ended: Ended): Promise<Outcome>
  /** Whatever else must hold in the end. */
  expectSound(ended: Ended): Promise<void>
}

export interface Ended {
  readonly events: readonly RecordedEvent[]
  readonly views: ViewStore
}

interface Outcome {
  readonly wanted: readonly string[]
  readonly found: readonly string[]
}

interface Account {
  readonly lost: readonly string[]
  /** There more often than wanted, or not wanted at all. */
  readonly doubled: readonly string[]
}

export const accountOf = ({ wanted, found }: Outcome): Account => ({
  lost: without(wanted, found),
  doubled: without(found, wanted),
})

/** As often as `some` has each more often than `others`. */
const without = (some: readonly string[], others: readonly string[]): readonly string[] => {
  const left = new Map<string, number>()
  for (const name of others) left.set(name, (left.get(name) ?? 0) + 1)
  return some.filter((name) => {
    const count = left.get(name) ?? 0
    left.set(name, count - 1)
    return count <= 0
  })
}
