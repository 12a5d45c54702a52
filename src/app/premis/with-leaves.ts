import { isRight } from 'fp-ts/lib/Either.js'
import { leafText, parseEventEntry } from '../../domain/kernel/proof/event-leaf.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { entryReader, openHead } from '../proof/open-tree.ts'
import type { OwnTree } from '../proof/own-tree.ts'
import { seekLeaf } from '../proof/seek-leaf.ts'
import type { PremisItem } from './export.ts'

/**
 * Adds to each event that is sealed where it stands in the archive's tree: `log`, the tree's origin, and `leaf`, the index there. So
 * whoever has the document finds its proof. Some forty reads an event. Throws `BrokenTree`, `UntrustedNote`, `UnavailableError`.
 */
export async function* withLeaves(
  items: AsyncIterable<PremisItem>,
  eventStore: Pick<EventStore, 'read' | 'head'>,
  { files, head, verifiers }: Pick<OwnTree, 'files' | 'head' | 'verifiers'>,
): AsyncGenerator<PremisItem> {
  const { origin, size } = openHead(head.text, verifiers)
  const entry = entryReader(files, size)

  const leafAt = async (stream: string, revision: bigint): Promise<bigint | undefined> => {
    const read = await eventStore.read(stream, revision, 'forward', 1)()
    const [event] = isRight(read) ? read.right : []
    if (event?.revision !== revision) return undefined
    const index = await seekLeaf(eventStore, files, size, event.position)
    const leaf = index === undefined ? undefined : parseEventEntry(await entry(index))
    if (leaf === undefined || !isRight(leaf)) return undefined
    const isSame =
      leaf.right.revision === revision &&
      JSON.stringify(leaf.right.stream) === JSON.stringify(leafText(stream))
    return isSame ? index : undefined
  }

  for await (const item of items) {
    const { stream, revision } = (item.kind === 'event' && item.event.facts) || {}
    const leaf =
      stream === undefined || revision === undefined ? undefined : await leafAt(stream, BigInt(revision))
    yield item.kind === 'event' && leaf !== undefined
      ? { ...item, event: { ...item.event, facts: { ...item.event.facts, log: origin, leaf: String(leaf) } } }
      : item
  }
}
