import { hash } from 'node:crypto'
import { orThrow, UnavailableError } from '../../../async/unavailable.ts'
import type { RecordedEvent } from '../../../domain/kernel/event.ts'
import { SECOND } from '../../../domain/kernel/time.ts'
import type { System } from '../../system.ts'
import type { SealerSystem } from '../open-sealer.ts'
import { type OwnTree, ownTree, proveOwnEvent } from '../own-tree.ts'
import { sealNow } from '../seal-now.ts'
import { storedEventAt } from '../stored-event-at.ts'

/** An event that states something, with all that proves it. */
export interface Statement {
  /** Data of the event, byte for byte as they are stored. */
  readonly data: string
  /** Text of the event's `.tlog-proof`. */
  readonly proof: string
}

type Placed = Pick<RecordedEvent, 'stream' | 'revision'>

/** The statement of an event by the newest signed head; undefined if that does not have it. Throws `UnavailableError`, `BrokenTree`. */
export const statementOf = async (
  { eventStore }: Pick<System, 'eventStore'>,
  tree: OwnTree,
  { stream, revision }: Placed,
): Promise<Statement | undefined> => {
  const proven = await proveOwnEvent(tree, { stream, revision })
  if (!proven) return undefined
  const [event] = await orThrow(eventStore.read(stream, revision, 'forward', 1))
  if (event?.revision !== revision) return undefined
  const stored = await storedEventAt(eventStore, event.position)
  if (typeof stored?.data !== 'string') return undefined
  return hash('sha256', stored.data, 'base64') === proven.leaf.data
    ? { data: stored.data, proof: proven.text }
    : undefined
}

const tries = 30

/** Waits until an event is sealed, by the process that seals, or by this one where none does. Undefined if it is not within half a minute. */
export const sealedStatement = async (
  system: SealerSystem,
  event: Placed,
  signal?: AbortSignal,
): Promise<Statement | undefined> => {
  for (let i = 0; i < tries && !signal?.aborted; i++) {
    const tree = await ownTree(system)
    if (tree.kind !== 'own') return undefined
    const statement = await statementOf(system, tree, event)
    if (statement) return statement
    const isSealed = await sealHere(system)
    if (!isSealed) await system.clock.sleep(SECOND, signal)
  }
  return undefined
}

/** False while another process seals. */
const sealHere = async (system: SealerSystem): Promise<boolean> => {
  try {
    return (await sealNow(system)) === undefined
  } catch (error) {
    if (error instanceof UnavailableError) return false
    throw error
  }
}
