import type { BrokenMember } from '../../../src/ports/broker.ts'

interface BrokenSpell {
  joined(): void
  /** A member broke down, or could not join; the next one is begun. */
  broke(because: string): void
  /** Undefined while a member is in the group. */
  now(): BrokenMember | undefined
}

interface Times {
  /** ISO 8601 UTC. */
  readonly now: () => string
  readonly monotonic: () => number
  /** A member that was in for so long was sound: what comes after it is another spell. */
  readonly soundMillis: number
}

/** Since when no member of this process is in its group: one breakdown after another is one spell. */
export const createBrokenSpell = ({ now, monotonic, soundMillis }: Times): BrokenSpell => {
  let spell: BrokenMember | undefined
  let joinedAt: number | undefined
  return {
    joined: () => {
      joinedAt ??= monotonic()
    },
    broke: (because) => {
      const wasSound = joinedAt !== undefined && monotonic() - joinedAt > soundMillis
      spell = { since: wasSound || !spell ? now() : spell.since, because }
      joinedAt = undefined
    },
    now: () => (joinedAt === undefined ? spell : undefined),
  }
}
