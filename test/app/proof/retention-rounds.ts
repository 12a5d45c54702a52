import { createRetention } from '#src/app/proof/retention/apply-policies.ts'
import type { Sealing } from '#src/app/proof/sealing.ts'
import type { System } from '#src/app/system.ts'
import { orThrow } from '#src/async/unavailable.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { setTreeMark } from '#src/processors/runtime/tree-mark.ts'
import { origin, sealAll } from './sealer.ts'

const { signal } = new AbortController()

/** Seals the log in a folder and applies the policies once, as a round of the sealer does. */
export const retentionRounds = (system: System, home: string) => {
  const retention = createRetention(system)
  return async (): Promise<void> => {
    await sealAll(home, system.eventStore, { perRead: 500, perHead: 500n })
    await setTreeMark(system.eventStore, origin)
    const position = await orThrow(system.eventStore.head())
    const sealing = { size: 1n, published: { size: 1n }, position } as unknown as Sealing
    await retention.ifDue(signal, origin, sealing)
  }
}

let ids = 0

/** Appends an event of another program as it was recorded some days ago. */
export const foreignEvent = async (
  { appendStored }: Pick<EventStore, 'appendStored'>,
  stream: string,
  daysAgo: number,
  data: unknown = { degrees: 21 },
): Promise<void> => {
  const recordedAt = new Date(Date.now() - daysAgo * 86_400_000).toISOString()
  const id = `0190c3b0-0000-7000-8000-${String(ids++).padStart(12, '0')}`
  const content = {
    id,
    type: 'Measured',
    data: JSON.stringify(data),
    metadata: JSON.stringify({ recordedAt }),
    isJson: true,
  }
  await orThrow(appendStored(stream, 'any', [content]))
}
