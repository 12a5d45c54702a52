import { isLeft } from 'fp-ts/lib/Either.js'
import { v4 as uuid } from 'uuid'
import { orThrow } from '../../async/unavailable.ts'
import { storageStream } from '../../domain/ingest/ids.ts'
import { type AdoptedRoot, storageDecider } from '../../domain/ingest/storage/decide.ts'
import { type FoundRoot, refusalOf, strangeness } from '../../domain/ingest/storage/refusal.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { StorageRoot } from '../../ports/storage-root.ts'
import type { Execute } from '../runtime/execute.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import type { ViewsReach } from '../runtime/views-reach.ts'
import { type KnownObjects, lacking } from './known-objects.ts'

export interface GuardDependencies extends KnownObjects {
  readonly storageRoot: StorageRoot
  readonly eventStore: Pick<EventStore, 'head'>
  readonly states: StreamStates
  readonly execute: Execute
  readonly clock: Clock
  /** Waits until the views of ingest have reached a position. */
  readonly viewsReach: ViewsReach
  /** The actor that adopts a root. */
  readonly worker: string
}

export interface StorageGuard {
  /**
   * The reason why nothing may be stored from here; undefined if the root is the archive's. Adopts this root if the
   * archive has none and the log has nothing against it. The result is reused for a moment. Throws `UnavailableError`.
   */
  refusal(): Promise<string | undefined>
  /** The same without adopting a root; undefined if the archive has none. */
  refusalSoFar(): Promise<string | undefined>
  /** True if the archive has adopted a root, and this is it. Throws `UnavailableError`. */
  isAdopted(): Promise<boolean>
  /** The result of the refusal that began last of those that have ended. */
  last(): string | undefined
}

/** Age up to which a result is reused: a root that becomes unavailable is noticed this much later. */
const seenMillis = SECOND

export const createStorageGuard = (deps: GuardDependencies): StorageGuard => {
  const { clock } = deps
  let last: string | undefined
  let cached: { readonly at: number; readonly answer: Promise<string | undefined> } | undefined
  let begun = 0
  let lastBegun = 0

  /** A check that took long must not replace the result of one that began after it. */
  const noted = async (answer: Promise<string | undefined>) => {
    begun += 1
    const number = begun
    const refusal = await answer
    if (number > lastBegun) {
      last = refusal
      lastBegun = number
    }
    return refusal
  }

  return {
    refusal: () => {
      const now = clock.monotonic()
      if (cached && now - cached.at <= seenMillis) return cached.answer
      const answer = noted(refusal(deps))
      cached = { at: now, answer }
      answer.catch(() => {
        cached = undefined
      })
      return answer
    },
    refusalSoFar: () => noted(refusalSoFar(deps)),
    isAdopted: async () =>
      (await adoptedRoot(deps)) !== undefined && (await noted(refusalSoFar(deps))) === undefined,
    last: () => last,
  }
}

/** The root that the log names. Throws `UnavailableError`. */
export const adoptedRoot = async ({ states }: Pick<GuardDependencies, 'states'>): Promise<AdoptedRoot> =>
  (await orThrow(() => states.load(storageDecider, storageStream))).state

/**
 * The reason why nothing is to be read from or stored in this root; undefined if it is the archive's, or the archive
 * has none yet.
 */
export const refusalSoFar = async (
  deps: Pick<GuardDependencies, 'states' | 'storageRoot'>,
): Promise<string | undefined> => {
  const adopted = await adoptedRoot(deps)
  if (!adopted) return undefined
  const found = await deps.storageRoot.inspect()()
  return isLeft(found) ? found.left.reason : refusalOf(found.right, adopted)
}

const refusal = async (deps: GuardDependencies): Promise<string | undefined> => {
  const adopted = await adoptedRoot(deps)
  const found = await deps.storageRoot.inspect()()
  if (isLeft(found)) return found.left.reason
  return adopted ? refusalOf(found.right, adopted) : firstRoot(found.right, deps)
}

/**
 * Adopts a first root, or returns the reason against it. Waits for the views: behind the log, they know too little of
 * what is stored.
 */
const firstRoot = async (found: FoundRoot, deps: GuardDependencies): Promise<string | undefined> => {
  const { eventStore, viewsReach, storageRoot, execute, clock, worker } = deps
  await viewsReach(await orThrow(eventStore.head()), new AbortController().signal)
  const { knowsObjects, lacks } = await lacking(found, deps)
  const strange = strangeness(found, knowsObjects, lacks)
  if (strange !== undefined) return strange
  const named = await storageRoot.name(uuid())()
  if (isLeft(named)) return named.left.reason
  const { folder, host } = found
  const adopting = {
    type: 'AdoptRoot',
    actor: worker,
    at: clock.now(),
    root: named.right,
    folder,
    host,
  } as const
  await orThrow(() =>
    execute(storageDecider, { stream: storageStream, command: adopting, causationId: uuid() }),
  )
  // Another process may have been faster, with another root.
  return refusalSoFar(deps)
}
