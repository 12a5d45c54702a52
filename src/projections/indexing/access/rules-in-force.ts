import { setImmediate } from 'node:timers/promises'
import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow, UnavailableError } from '../../../async/unavailable.ts'
import { compileRules, type Refusal } from '../../../domain/indexing/access/compile-rules.ts'
import { accessEvents } from '../../../domain/indexing/access/events.ts'
import { type AccessRule, accessCategory } from '../../../domain/indexing/access/rule.ts'
import { idOf, type RecordedEvent } from '../../../domain/kernel/event.ts'
import type { EventStore } from '../../../ports/event-store.ts'

const filter = { categories: [accessCategory], types: accessEvents.types }
const batchEvents = 10_000

export interface RuleInForce extends AccessRule {
  /** When it was last set. */
  readonly since: string
}

/** The rules up to a position of the log. */
interface Known {
  position: bigint
  readonly rules: Map<string, RuleInForce>
  /** Absent if rules have changed since. */
  compiled?: ((now: string) => Refusal | undefined) | undefined
}

const knownOf = new WeakMap<EventStore, Known>()

/**
 * The rules of access in the log now. Read each time, from where the last read ended: no lagging view shows what is
 * refused. Throws `UnavailableError`, also if a rule cannot be read: nothing is shown then.
 */
export const rulesInForce = async (eventStore: EventStore): Promise<readonly RuleInForce[]> => [
  ...(await upToDate(eventStore)).rules.values(),
]

/** Undefined if nothing is refused. Throws `UnavailableError`. */
export const refusalNow = async (eventStore: EventStore, now: string): Promise<Refusal | undefined> => {
  const known = await upToDate(eventStore)
  known.compiled ??= compileRules([...known.rules.values()])
  return known.compiled(now)
}

/** Reads of the log that have not begun: one read answers all questions that came before it. */
const nextReads = new WeakMap<EventStore, Promise<Known>>()

const upToDate = (eventStore: EventStore): Promise<Known> => {
  const shared = nextReads.get(eventStore)
  if (shared) return shared
  const next = setImmediate().then(() => {
    nextReads.delete(eventStore)
    return readOn(eventStore)
  })
  nextReads.set(eventStore, next)
  return next
}

const readOn = async (eventStore: EventStore): Promise<Known> => {
  const known = knownOf.get(eventStore) ?? { position: -1n, rules: new Map() }
  knownOf.set(eventStore, known)
  for (;;) {
    const batch = await orThrow(eventStore.readAll(known.position, filter, batchEvents))
    // Another question may have read further meanwhile.
    for (const event of batch.events) if (event.position > known.position) note(known, event)
    if (batch.position > known.position) known.position = batch.position
    if (batch.caughtUp) return known
  }
}

const note = (known: Known, event: RecordedEvent): void => {
  const read = accessEvents.read(event)
  if (isLeft(read)) throw new UnavailableError(`a rule of access cannot be read: ${read.left}`)
  const rule = idOf(event.stream)
  if (read.right.type === 'AccessRuleRemoved') known.rules.delete(rule)
  else {
    const { reason: _, at: since, ...terms } = read.right.data
    known.rules.set(rule, { ...terms, rule, since })
  }
  known.compiled = undefined
  known.position = event.position
}
