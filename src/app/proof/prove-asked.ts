import { orThrow } from '../../async/unavailable.ts'
import type { EventLeaf } from '../../domain/kernel/proof/event-leaf.ts'
import { isLeaf } from '../../domain/kernel/proof/leaf-of.ts'
import type { StoredEvent } from '../../domain/kernel/stored-event.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { examineTree } from './examine-head.ts'
import type { WantedEvent } from './find-leaf.ts'
import { eventAt } from './find-place.ts'
import { openHead } from './open-tree.ts'
import { type OwnTree, proveOwnEvent } from './own-tree.ts'
import type { EventProof } from './prove-event.ts'
import { seekLeaf } from './seek-leaf.ts'
import { storedEventAt } from './stored-event-at.ts'

/** An event as people name it: also by its position in the log. */
export type AskedEvent = WantedEvent | { readonly position: bigint }

export type Proven =
  /** `event`: as the log holds it now; undefined if it does not any more. It is compared with nothing. */
  | { readonly kind: 'proven'; readonly proof: EventProof; readonly event: StoredEvent | undefined }
  /** Neither the log nor the tree has it. */
  | { readonly kind: 'no-such-event' }
  /** `sealedTo`: position of the last event that is sealed. */
  | { readonly kind: 'not-sealed'; readonly position: bigint; readonly sealedTo: bigint }
  /** About processes, or a server's own: no tree holds it. */
  | { readonly kind: 'never-sealed'; readonly event: StoredEvent }
  /** It stands before sealed events, and has no leaf: it was inserted, or put in another one's place. */
  | { readonly kind: 'inserted'; readonly event: StoredEvent }

/** Proves an event, and gives it in its stored bytes. Throws `UnavailableError`, `BrokenTree`, and errors of notes. */
export const proveAsked = async (
  eventStore: EventStore,
  tree: OwnTree,
  asked: AskedEvent,
): Promise<Proven> => {
  const examined = await examineTree({ eventStore }, tree)
  const sealedTo = examined.kind === 'sealed' ? examined.position : undefined
  const event = 'id' in asked ? undefined : await storedEvent(eventStore, asked)
  if (event && !isLeaf(event)) return { kind: 'never-sealed', event }
  if (event && sealedTo !== undefined && event.position > sealedTo)
    return { kind: 'not-sealed', position: event.position, sealedTo }
  const wanted = 'position' in asked ? event && { stream: event.stream, revision: event.revision } : asked
  if (!wanted) return { kind: 'no-such-event' }

  const { size } = openHead(tree.head.text, tree.verifiers)
  const near = event && (await seekLeaf(eventStore, tree.files, size, event.position))
  const proof = await proveOwnEvent(tree, wanted, near)
  if (proof) return { kind: 'proven', proof, event: event ?? (await storedEvent(eventStore, proof.leaf)) }
  if (event) return { kind: 'inserted', event }
  const waiting = 'id' in asked && sealedTo !== undefined && (await unsealed(eventStore, sealedTo, asked.id))
  return waiting
    ? { kind: 'not-sealed', position: waiting.position, sealedTo: sealedTo! }
    : { kind: 'no-such-event' }
}

const storedEvent = async (
  eventStore: EventStore,
  asked: Exclude<AskedEvent, { id: string }> | Pick<EventLeaf, 'stream' | 'revision'>,
): Promise<StoredEvent | undefined> => {
  const position = 'position' in asked ? asked.position : (await eventAt(eventStore, asked))?.position
  return position === undefined || position < 0n ? undefined : storedEventAt(eventStore, position)
}

const pageEvents = 500
/** Events behind the tree that are searched for an id: a sealer at work leaves fewer. */
const maxUnsealed = 10_000

const unsealed = async (
  eventStore: EventStore,
  sealedTo: bigint,
  id: string,
): Promise<StoredEvent | undefined> => {
  let after = sealedTo
  for (let read = 0; read < maxUnsealed; read += pageEvents) {
    const page = await orThrow(eventStore.readStored(after, {}, pageEvents))
    const found = page.events.find((event) => event.id === id && isLeaf(event))
    if (found || page.caughtUp) return found
    after = page.position
  }
  return undefined
}
