import { isLeft } from 'fp-ts/lib/Either.js'
import { sideBySide } from '../../async/side-by-side.ts'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import type { DossierCommand } from '../../domain/chain/commands.ts'
import { dossierDecider } from '../../domain/chain/decide.ts'
import { dossierStream } from '../../domain/chain/events.ts'
import { countsOf, messagesOf } from '../../domain/chain/handing-over.ts'
import { ingestObjects } from '../../domain/chain/inputs.ts'
import { chainSource } from '../../domain/chain/outputs.ts'
import type { DossierState } from '../../domain/chain/state.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { earlier } from '../../domain/kernel/time.ts'
import type { Broker } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { ObjectStore, ObjectStoreFailure } from '../../ports/object-store.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Execute } from '../runtime/execute.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import { listedFiles, type VersionRead } from './listed-files.ts'
import { pager } from './pager.ts'
import { note, recordOf, type Sending } from './sending.ts'
import { withdrawalMessages } from './withdrawal.ts'

export interface HandOverDependencies {
  readonly eventStore: Pick<EventStore, 'read'>
  readonly execute: Execute
  readonly states: StreamStates
  readonly broker: Pick<Broker, 'produce'>
  readonly viewStore: ViewStore
  readonly clock: Clock
  readonly objectStore: () => Promise<Pick<ObjectStore, 'added'>>
  /** Makes sure that fixity knows the storage root; returns its name there. */
  readonly fixityStore: () => Promise<string>
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
  await sideBySide(concluding.flat(), pageSize, ({ event, command }) => note(event, command, deps, 'fixity'))
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
  const { clock } = deps
  await noteStored(event, read, deps)
  const { version, inventoryDigest, object: facts } = read.data
  const known = (await dossierOf(event, deps)).versions.get(version)
  // Withdrawn since, or handed over before.
  if (!known || known.handedOver.includes('fixity')) return []
  const object = idOf(event.stream)
  const store = await deps.fixityStore()
  const found = await (await deps.objectStore()).added(object, version, inventoryDigest)()
  const brought = isLeft(found) ? undefined : found.right
  const by = { version, rule: 'fixity' as const, actor: chainSource, at: clock.now() }
  if (!brought) {
    const reason = isLeft(found) ? reasonOf(found.left) : `storage holds no object ${object}`
    await note(event, { type: 'NoteHandOverFailed', reason, ...by }, deps, `fixity/${reason}`)
    return []
  }
  const { isLast } = known
  const listed = await listedFiles(event, read, deps)
  const of = { object, version, batch: facts?.batch, store, isLast }
  for (const message of messagesOf(of, brought, listed)) await sending.add(recordOf(event, message, clock))
  return [{ event, command: { type: 'NoteHandedOver', store, ...countsOf(brought, isLast), ...by } }]
}

const noteStored = (event: RecordedEvent, read: VersionRead, deps: HandOverDependencies): Promise<void> => {
  const { version, files, bytes, inventoryDigest, object: facts, at } = read.data
  const { batch, profile, localIds = [] } = facts ?? {}
  const job = read.type === 'VersionStored' ? read.data.job : undefined
  const by = { actor: chainSource, at: earlier(at, deps.clock.now()) }
  const stored = { version, files, bytes, inventoryDigest, localIds, batch, job, profile }
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
  const { clock } = deps
  const by = { keep, actor: chainSource, at: earlier(at, clock.now()) }
  await note(event, { type: 'NoteWithdrawal', reason, ...by }, deps)
  const state = await dossierOf(event, deps)
  if (state.withdrawing?.keep !== keep) return []
  const of = { object: idOf(event.stream), keep, reason, state }
  const { messages, ...counts } = await withdrawalMessages(of, deps)
  for (const message of messages) await sending.add(recordOf(event, message, clock))
  return [{ event, command: { type: 'NoteWithdrawn', rule: 'fixity', ...counts, ...by, at: clock.now() } }]
}

const dossierOf = async (
  { stream }: RecordedEvent,
  { states }: HandOverDependencies,
): Promise<DossierState> =>
  (await orThrow(() => states.load(dossierDecider, dossierStream(idOf(stream))))).state
