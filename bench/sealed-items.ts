import { hash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { orThrow } from '../src/async/unavailable.ts'
import type { EventStore } from '../src/ports/event-store.ts'

/** Events to an item. */
const each = 3

/** Appends events as fixity has them, from the nth of the log up to another: three to an item, one behind the others. */
export const appendItems = async (store: EventStore, from: number, upTo: number): Promise<void> => {
  const metadata = { actor: 'fonds://bench', causationId: uuid(), correlationId: uuid(), schema: 1 }
  const items = Math.ceil((upTo - from) / each)
  for (let n = from; n < upTo; n += 1000)
    await orThrow(
      store.appendEach!(
        Array.from({ length: Math.min(1000, upTo - n) }, (_, i) => {
          const item = Math.floor(from / each) + ((n + i - from) % items)
          return {
            stream: `item-bench/folder-${String(item >> 8).padStart(5, '0')}/file-${item}.tif`,
            expected: 'any',
            events: [
              {
                id: uuid(),
                type: 'ContentRecorded',
                data: {
                  size: 12345,
                  checksums: [{ algorithm: 'sha-256', value: hash('sha256', `${n + i}`) }],
                  at: '2026-01-31T12:00:00.000Z',
                },
                metadata: {
                  ...metadata,
                  origin: { log: 'bench', topic: 'fonds.fixity.content', partition: 0, offset: `${n + i}` },
                },
              },
            ],
          }
        }),
      ),
    )
}
