import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { onTestFinished } from 'vitest'
import type { System } from '#src/app/system.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import { openTestViews } from '../fakes/views.ts'

/** Another machine on the same log and topics: its views are its own. */
export const machineBeside = (system: System): System => {
  const viewStore = openTestViews(join(system.config.home, 'views-of-another.db'))
  onTestFinished(() => viewStore.close())
  return { ...system, viewStore }
}

export const everyEvent = async ({ eventStore }: System): Promise<readonly RecordedEvent[]> => {
  const read = await eventStore.readAll(-1n, {}, 10_000)()
  if (isLeft(read)) throw new Error(read.left.reason)
  return read.right.events
}
