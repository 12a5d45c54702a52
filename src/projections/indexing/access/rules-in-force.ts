import { setImmediate } from 'node:timers/promises'
import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow, UnavailableError } from '../../../async/unavailable.ts'
import { compileRules, type Refusal } from '../../../domain/indexing/access/compile-rules.ts'
import { accessEvents } from '../../../domain/indexing/access/events.ts'
import { type AccessRule, accessCategory } from '../../../domain/indexing/access/rule.ts'
import { events as fileEvents } from '../../../domain/indexing/events.ts'
import { category } from '../../../domain/indexing/file.ts'
import { categoryOf, idOf, type RecordedEvent } from '../../../domain/kernel/event.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import { createEmbargoes, type Embargoes, type HeldBack } from './embargoes.ts'

const embargoTypes = ['EmbargoSet', 'EmbargoLifted']
const filter = { categories: [accessCategory, category], types: [...accessEvents.types, ...embargoTypes] }
const batchEvents = 10_000

export interface RuleInForce extends AccessRule {
  /** When it was last set. */
  readonly since: string
}

/** The rules and the embargoes up to a position of the log. */
interface Known {
  position: bigint
  readonly rules: Map<string, RuleInForce>
  readonly embargoes: Embargoes
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

/** The embargoes in the log now, as `rulesInForce`. */
export const embargoesInForce = async (eventStore: EventStore): Promise<Embargoes> =>
  (await upToDate(eventStore)).embargoes

interface HiddenNow {
  /** Undefined if no rule refuses anything. */
  readonly refusal: Refusal | undefined
  /** Undefined if there is no embargo. */
  readonly heldBack: HeldBack | undefined
}

/** Throws `UnavailableError`. */
export const hiddenNow = async (eventStore: EventStore, now: string): Promise<HiddenNow> => {
  const known = await upToDate(eventStore)
  known.compiled ??= compileRules([...known.rules.values()])
  return { refusal: known.compiled(now), heldBack: known.embargoes.at(now) }
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
  const known = knownOf.get(eventStore) ?? { position: -1n, rules: new Map(), embargoes: createEmbargoes() }
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
  if (categoryOf(event.stream) === category) noteEmbargo(known, event)
  else noteRule(known, event)
  known.position = event.position
}

const noteRule = (known: Known, event: RecordedEvent): void => {
  const read = accessEvents.read(event)
  if (isLeft(read)) throw new UnavailableError(`a rule of access cannot be read: ${read.left}`)
  const rule = idOf(event.stream)
  if (read.right.type === 'AccessRuleRemoved') known.rules.delete(rule)
  else {
    const { reason: _, at: since, ...terms } = read.right.data
    known.rules.set(rule, { ...terms, rule, since })
  }
  known.compiled = undefined
}

const noteEmbargo = ({ embargoes }: Known, event: RecordedEvent): void => {
  const read = fileEvents.read(event)
  if (isLeft(read)) throw new UnavailableError(`an embargo cannot be read: ${read.left}`)
  const { type, data } = read.right
  embargoes.add(idOf(event.stream), {
    position: event.position,
    at: event.recordedAt,
    until: type === 'EmbargoSet' ? data.until : undefined,
    isFirst: event.revision === 0n,
  })
}
