import { isLeft } from 'fp-ts/lib/Either.js'
import { sideBySide } from '../../async/side-by-side.ts'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import type { ArchiveMessage } from '../../domain/chain/archive-files.ts'
import type { DossierCommand, NoteHandedOver } from '../../domain/chain/commands.ts'
import { dossierDecider } from '../../domain/chain/decide.ts'
import { dossierStream } from '../../domain/chain/events.ts'
import type { Brought, Listed, OfVersion, Sent } from '../../domain/chain/handing-over.ts'
import { ingestObjects } from '../../domain/chain/inputs.ts'
import { chainSource } from '../../domain/chain/outputs.ts'
import type { RuleName } from '../../domain/chain/rules.ts'
import type { DossierState } from '../../domain/chain/state.ts'
import type { EmbargoWord } from '../../domain/kernel/embargo.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { earlier } from '../../domain/kernel/time.ts'
import type { Broker } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { ObjectStore, ObjectStoreFailure } from '../../ports/object-store.ts'
import type { Execute } from '../runtime/execute.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import { listedFiles, type VersionRead } from './listed-files.ts'
import { pager } from './pager.ts'
import { note, recordOf, type Sending } from './sending.ts'
import type { Withdrawal } from './withdrawal.ts'

export interface HandOverDependencies {
  readonly eventStore: Pick<EventStore, 'read'>
  readonly execute: Execute
  readonly states: StreamStates
  readonly broker: Pick<Broker, 'produce'>
  readonly clock: Clock
  readonly objectStore: () => Promise<Pick<ObjectStore, 'added'>>
  /** Rules that are on: those that a version waits for. */
  readonly on: readonly RuleName[]
  readonly work: RuleWork
}

/** A version that is to be handed over. */
export interface Offered {
  readonly event: RecordedEvent
  readonly of: OfVersion
  /** Undefined: ingest's event does not have it. */
  readonly embargoUntil: EmbargoWord | undefined
  readonly brought: Brought
  readonly listed: Listed
  readonly state: DossierState
}

type Messages = Iterable<Sent | ArchiveMessage>
type Ending = Pick<NoteHandedOver, 'parts' | 'shared' | 'embargoUntil'>

/** Work of one rule about versions. Each may be repeated: it sends the same again. Throws `UnavailableError`. */
export interface RuleWork {
  readonly rule: RuleName
  /** Name that the storage root has in the rule's workflow. */
  readonly store: () => Promise<string>
  readonly offer: (offered: Offered) => Promise<Ending & { readonly messages: Messages }>
  readonly withdraw: (
    withdrawal: Withdrawal,
  ) => Promise<Pick<Ending, 'parts' | 'shared'> & { readonly messages: Messages }>
}

/** Objects whose inventories are read at once, and messages that are sent together. */
const width = 8
const pageSize = 500

/** The end of a hand-over: written when all of its messages are sent. */
interface Concluding {
  readonly event: RecordedEvent
  readonly command: DossierCommand
}

/**
 * Notes versions in the dossiers of their objects, and hands them over. All of it may be repeated: what is noted is not noted
 * again, and messages that were sent before have the same ids. Throws `UnavailableError`.
 */
export const handOver = async (
  events: readonly RecordedEvent[],
  deps: HandOverDependencies,
): Promise<void> => {
  const sending: Sending = pager(pageSize, (records) =>
    orThrow(deps.broker.produce(records), 'handing content over'),
  )
  const objects = [...Map.groupBy(events, ({ stream }) => stream).values()]
  const concluding = await sideBySide(objects, width, async (ofOne) => {
    const ends: Concluding[] = []
    // Versions of one object in their order.
    for (const event of ofOne) ends.push(...(await handOverOne(event, sending, deps)))
    return ends
  })
  await sending.flush()
  await sideBySide(concluding.flat(), pageSize, ({ event, command }) =>
    note(event, command, deps, deps.work.rule),
  )
}

const handOverOne = async (
  event: RecordedEvent,
  sending: Sending,
  deps: HandOverDependencies,
): Promise<readonly Concluding[]> => {
  const read = readOrStop(ingestObjects, event)
  switch (read.type) {
    case 'VersionStored':
    case 'VersionAdopted':
      return handOverVersion(event, read, sending, deps)
    case 'VersionsSetAside':
      return withdraw(event, read.data, sending, deps)
    default:
      return []
  }
}

const handOverVersion = async (
  event: RecordedEvent,
  read: VersionRead,
  sending: Sending,
  deps: HandOverDependencies,
): Promise<readonly Concluding[]> => {
  const { clock, work } = deps
  const { rule } = work
  await noteStored(event, read, deps)
  const { version, inventoryDigest, object: facts } = read.data
  const state = await dossierOf(event, deps)
  const known = state.versions.get(version)
  // Withdrawn since, or handed over before.
  if (!known || known.handedOver.includes(rule)) return []
  const object = idOf(event.stream)
  const store = await work.store()
  const found = await (await deps.objectStore()).added(object, version, inventoryDigest)()
  const brought = isLeft(found) ? undefined : found.right
  const by = { version, rule, actor: chainSource, at: clock.now() }
  if (!brought) {
    const reason = isLeft(found) ? reasonOf(found.left) : `storage holds no object ${object}`
    await note(event, { type: 'NoteHandOverFailed', reason, ...by }, deps, `${rule}/${reason}`)
    return []
  }
  const listed = await listedFiles(event, read, deps)
  const of = { object, version, batch: facts?.batch, store, isLast: known.isLast }
  const { messages, ...end } = await work.offer({
    event,
    of,
    embargoUntil: facts?.embargoUntil,
    brought,
    listed,
    state,
  })
  for (const message of messages) await sending.add(recordOf(event, message, clock))
  return [{ event, command: { type: 'NoteHandedOver', store, ...end, ...by } }]
}

const noteStored = (event: RecordedEvent, read: VersionRead, deps: HandOverDependencies): Promise<void> => {
  const { version, files, bytes, inventoryDigest, object: facts, at } = read.data
  const { batch, profile, localIds = [] } = facts ?? {}
  const job = read.type === 'VersionStored' ? read.data.job : undefined
  const by = { actor: chainSource, at: earlier(at, deps.clock.now()) }
  const stored = { version, files, bytes, inventoryDigest, localIds, batch, job, profile, rules: deps.on }
  return note(event, { type: 'NoteStored', ...stored, ...by }, deps)
}

/** Throws `UnavailableError` if storage does not answer: nothing is known of the version then. */
const reasonOf = (failure: ObjectStoreFailure): string => {
  if (failure.kind === 'Unavailable') throw new UnavailableError(failure.reason)
  return failure.kind === 'Conflict' ? `version ${failure.head} is the last` : failure.reason
}

const withdraw = async (
  event: RecordedEvent,
  { keep, reason, at }: { readonly keep: number; readonly reason: string; readonly at: string },
  sending: Sending,
  deps: HandOverDependencies,
): Promise<readonly Concluding[]> => {
  const { clock, work } = deps
  const by = { keep, actor: chainSource, at: earlier(at, clock.now()) }
  await note(event, { type: 'NoteWithdrawal', reason, ...by }, deps)
  const state = await dossierOf(event, deps)
  if (state.withdrawing?.keep !== keep || state.withdrawing.done.includes(work.rule)) return []
  const { messages, ...counts } = await work.withdraw({ object: idOf(event.stream), keep, reason, state })
  for (const message of messages) await sending.add(recordOf(event, message, clock))
  return [{ event, command: { type: 'NoteWithdrawn', rule: work.rule, ...counts, ...by, at: clock.now() } }]
}

const dossierOf = async (
  { stream }: RecordedEvent,
  { states }: HandOverDependencies,
): Promise<DossierState> =>
  (await orThrow(() => states.load(dossierDecider, dossierStream(idOf(stream))))).state
