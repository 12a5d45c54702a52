import { onTestFinished, vi } from 'vitest'
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

/** Puts the clock where a test wants it, and back when the test ends. Stores that are opened after the first call follow it. */
export const setDaysLater = (days: number): void => {
  const now = performance.timeOrigin + performance.now() + days * 86_400_000
  if (vi.isFakeTimers()) return void vi.setSystemTime(now)
  vi.useFakeTimers({ toFake: ['Date'], now })
  onTestFinished(() => void vi.useRealTimers())
}

/** The log goes on until two hours ago, as one does that is in use. */
export const inUse = ({ eventStore }: Pick<System, 'eventStore'>): Promise<void> =>
  foreignEvent(eventStore, 'other-clock', 1 / 12)

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
