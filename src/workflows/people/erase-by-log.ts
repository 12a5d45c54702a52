import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { category, personEvents } from '../../domain/kernel/people.ts'
import { fromBare } from '../../domain/kernel/personal.ts'
import type { Erased } from '../../ports/personal-values.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { followLog } from './follow-log.ts'

type Following = Pick<WorkflowContext, 'personal' | 'eventStore' | 'broker' | 'workflows'>

/**
 * Erases what the log says is erased and this home still has: its values were put back from an older backup, or a process died
 * between the two. Throws `UnavailableError`.
 */
export const eraseByLog = async (following: Following, signal?: AbortSignal): Promise<void> => {
  const { personal, eventStore } = following
  const known = await orThrow(personal.erasedTo(), 'personal values')
  if (known === undefined) return
  const filter = { categories: [category], types: ['PersonErased'] }
  const keep = async (position: bigint, events: readonly RecordedEvent[]): Promise<void> => {
    const erased = events.flatMap(erasedIn)
    const { overwriteErased } = await import('../../processors/runtime/overwrite-erased.ts')
    await overwriteErased(
      following,
      erased.flatMap(({ references }) => references),
    )
    await orThrow(personal.eraseUpTo(position, erased), 'personal values')
  }
  await followLog(eventStore, filter, known, keep, signal)
}

const erasedIn = (event: RecordedEvent): readonly Erased[] => {
  const one = personEvents.read(event)
  return isLeft(one) || one.right.type !== 'PersonErased'
    ? []
    : [{ references: one.right.data.references.map(fromBare), at: event.recordedAt }]
}
