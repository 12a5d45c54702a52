import { verifierKey } from '@fonds/tlog/compute'
import { orThrow } from '../../async/unavailable.ts'
import { keysEvents, keysStream } from '../../domain/kernel/proof/keys-events.ts'
import { DAY } from '../../domain/kernel/time.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { ProofKeys, ProofLog, RetiredKey } from '../../ports/proof-log.ts'
import { readOrStop } from '../../processors/runtime/read-or-stop.ts'
import { verifiersOf } from './signers.ts'

/*
 * Keys take the place of others in steps (Q25): a person's command makes them and names them in the log; the sealer signs a head with
 * both; from then on the new ones are the keys of the tree. The old ones sign beside them for thirty days, for whoever has not
 * heard of the new ones, and are gone then.
 */

const overlapMillis = 30 * DAY

interface KeyPlaces {
  readonly eventStore: Pick<EventStore, 'read'>
  readonly files: ProofLog
  readonly origin: string
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** Keys that wait for the sealer, as the log names them. Those that the log does not name are not used. */
export const keysToUse = async ({ eventStore, files, origin }: KeyPlaces): Promise<ProofKeys | undefined> => {
  const next = await files.nextKeys()
  if (!next) return undefined
  const [last] = await orThrow(eventStore.read(keysStream, 'end', 'backward', 1))
  const named = last && readOrStop(keysEvents, last).data
  if (named?.origin !== origin) return undefined
  return verifiersOf(origin, next).every((one) => named.keys.includes(verifierKey(one))) ? next : undefined
}

/** Public keys before, as they are kept. `until`: leaves of the head that both signed. */
export const retiring = async (
  { eventStore, now }: KeyPlaces,
  until: bigint,
): Promise<readonly RetiredKey[]> => {
  const [last] = await orThrow(eventStore.read(keysStream, 'end', 'backward', 1))
  const at = new Date(now()).toISOString()
  return last ? readOrStop(keysEvents, last).data.earlier.map((key) => ({ key, until, at })) : []
}

/** Keys that were replaced, as long as they sign beside the new ones; `over` where that has ended. */
export const keysBeside = async ({ files, now }: KeyPlaces): Promise<ProofKeys | 'over' | undefined> => {
  const last = await files.lastKeys()
  if (!last) return undefined
  const at = (await files.retiredKeys()).at(-1)?.at
  return at !== undefined && now() - Date.parse(at) < overlapMillis ? last : 'over'
}

/** Whether the keys that a head is signed with are others now. */
export const areKeysDue = async (places: KeyPlaces): Promise<boolean> =>
  (await keysToUse(places)) !== undefined || (await keysBeside(places)) === 'over'
