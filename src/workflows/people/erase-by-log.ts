import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import { category, personEvents } from '../../domain/kernel/people.ts'
import { fromBare } from '../../domain/kernel/personal.ts'
import type { Erased } from '../../ports/personal-values.ts'
import type { WorkflowContext } from '../workflow-context.ts'

type Following = Pick<WorkflowContext, 'personal' | 'eventStore'>

const pageSize = 1000

/**
 * Erases what the log says is erased and this home still has: its values were put back from an older backup, or a process died
 * between the two. Throws `UnavailableError`.
 */
export const eraseByLog = async (
  { personal, eventStore }: Following,
  signal?: AbortSignal,
): Promise<void> => {
  const known = await orThrow(personal.erasedTo(), 'personal values')
  if (known === undefined) return
  const head = await orThrow(eventStore.head(), 'the end of the log')
  // The log was put back from an older copy: all of it is read again.
  let after = known > head ? -1n : known
  while (!signal?.aborted) {
    const read = await orThrow(
      eventStore.readAll(after, { categories: [category], types: ['PersonErased'] }, pageSize),
    )
    const erased = read.events.flatMap((event): readonly Erased[] => {
      const one = personEvents.read(event)
      return isLeft(one) || one.right.type !== 'PersonErased'
        ? []
        : [{ references: one.right.data.references.map(fromBare), at: event.recordedAt }]
    })
    if (erased.length > 0 || (read.caughtUp && read.position !== known))
      await orThrow(personal.eraseUpTo(read.position, erased), 'personal values')
    if (read.caughtUp) return
    after = read.position
  }
}
