import type { FixityCommand, Observe } from '#src/domain/fixity/commands.ts'
import { decider } from '#src/domain/fixity/decide.ts'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import type { Policy } from '#src/domain/fixity/store/events.ts'
import { addMillis, MINUTE } from '#src/domain/kernel/time.ts'
import { specify } from '../../given.ts'
import { sha256, witnesses } from './witnesses.ts'

/* Commands and events for one item, as tests want them. */

export const given = specify(decider)
export const item = { store: 'main', path: 'letters/1912/03.tif' }
export const policy: Policy = { intervalDays: 90, lagSeconds: 300, replica: true }
export const start = '2026-01-31T12:00:00.000Z'

/** So many minutes after the start. */
export const t = (minutes: number): string => addMillis(start, minutes * MINUTE)

/** Who wants what, and when. */
export const by = (minutes: number, actor = 'ada') => ({ item, actor, at: t(minutes) })

export const recorded = (letter = 'A', minutes = 0): FixityEvent => ({
  type: 'ContentRecorded',
  data: { checksums: [sha256(letter)], recordedFrom: 'manifest', at: t(minutes), dueAt: t(minutes) },
})

export const removed = (minutes: number, dueAt = t(minutes + 5)): FixityEvent => ({
  type: 'ContentRemoved',
  data: { at: t(minutes), dueAt },
})

export const claimed = (minutes: number, fence: number, holder = 'worker-1'): FixityEvent => ({
  type: 'CheckClaimed',
  data: { holder, fence, deadline: t(minutes + 10), attempt: 'first', run: 1 },
})

/** What an observer that holds no claim sees when the witnesses show `pattern`. */
export const observe = (pattern: string, minutes: number, more: Partial<Observe> = {}): Observe => {
  const { content, storage, index, audit } = witnesses(pattern)
  return {
    type: 'Observe',
    ...by(minutes, 'observer'),
    content,
    storage,
    index,
    audit,
    observedAt: t(minutes),
    policy,
    ...more,
  }
}

/** A history, and what a series of commands adds to it. A rejection fails the test. */
export const history = (
  start: readonly FixityEvent[],
  ...commands: readonly FixityCommand[]
): readonly FixityEvent[] => {
  const events = [...start]
  for (const command of commands) events.push(...given(...events).when(command).events)
  return events
}

export const typesOf = (events: readonly FixityEvent[]) => events.map(({ type }) => type)

/** The data of the one event of that type. */
export const only = <Type extends FixityEvent['type']>(events: readonly FixityEvent[], type: Type) => {
  const found = events.filter((event): event is Extract<FixityEvent, { type: Type }> => event.type === type)
  const [event] = found
  if (!event || found.length > 1) throw new Error(`${found.length} events ${type} in ${typesOf(events)}`)
  return event.data as Extract<FixityEvent, { type: Type }>['data']
}
