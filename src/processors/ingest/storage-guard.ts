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
  /** Of the views of ingest. */
  readonly viewsReach: ViewsReach
  /** Who adopts a root. */
  readonly worker: string
}

export interface StorageGuard {
  /**
   * Why nothing may be stored from here; undefined where the root is the archive's. An archive without one is given this one,
   * if the log has nothing against it. Looked up once in a while. Throws `UnavailableError`.
   */
  refusal(): Promise<string | undefined>
  /** The same, of an archive that has a root, or undefined: nothing is adopted. */
  refusalSoFar(): Promise<string | undefined>
  /** As it was last found. */
  last(): string | undefined
}

/** A root that goes away is seen this much later. */
const seenMillis = SECOND

export const createStorageGuard = (deps: GuardDependencies): StorageGuard => {
  const { clock } = deps
  let last: string | undefined
  let looked: { readonly at: number; readonly answer: Promise<string | undefined> } | undefined

  const noted = async (answer: Promise<string | undefined>) => {
    last = await answer
    return last
  }

  return {
    refusal: () => {
      const now = clock.monotonic()
      if (looked && now - looked.at <= seenMillis) return looked.answer
      const answer = noted(refusal(deps))
      looked = { at: now, answer }
      answer.catch(() => {
        looked = undefined
      })
      return answer
    },
    refusalSoFar: () => noted(refusalSoFar(deps)),
    last: () => last,
  }
}

/** The root that the log names. Throws `UnavailableError`. */
export const adoptedRoot = async ({ states }: Pick<GuardDependencies, 'states'>): Promise<AdoptedRoot> =>
  (await orThrow(() => states.load(storageDecider, storageStream))).state

/** Why nothing is to be read from or stored in this root; undefined where it is the archive's, or that has none yet. */
export const refusalSoFar = async (
  deps: Pick<GuardDependencies, 'states' | 'storageRoot'>,
): Promise<string | undefined> => {
  const adopted = await adoptedRoot(deps)
  if (!adopted) return undefined
  const found = await deps.storageRoot.look()()
  return isLeft(found) ? found.left.reason : refusalOf(found.right, adopted)
}

const refusal = async (deps: GuardDependencies): Promise<string | undefined> => {
  const adopted = await adoptedRoot(deps)
  const found = await deps.storageRoot.look()()
  if (isLeft(found)) return found.left.reason
  return adopted ? refusalOf(found.right, adopted) : firstRoot(found.right, deps)
}

/** Views that have not come as far as the log know too little of what is stored. */
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
