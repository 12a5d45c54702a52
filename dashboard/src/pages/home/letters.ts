import { get } from '../../api/client.ts'
import { plural } from '../../parts/words.ts'
import { lettersAt } from '../log/addresses.ts'
import { maxNeeds, type Need } from './report.ts'

interface LettersWaiting {
  /** How many in all. */
  readonly waiting: number
  readonly needs: readonly Need[]
  readonly hasMoreNeeds: boolean
}

/** Messages that could not be used, of whatever workflow, by reason. */
export const lettersWaiting = async (signal: AbortSignal): Promise<LettersWaiting> => {
  const { data } = await get('/api/v1/dead-letters/groups', {}, signal)
  const oldest = data.groups.toSorted((a, b) => (a.first < b.first ? -1 : 1))
  return {
    waiting: data.groups.reduce((sum, { count }) => sum + count, 0),
    needs: oldest.slice(0, maxNeeds).map(({ reason, topic, count, first, example }) => ({
      since: first,
      subject: `${plural(count, 'message')} of ${topic}`,
      says: `could not be used (${reason}), such as: ${example.message ?? example.id}`,
      href: lettersAt(reason, topic),
      verb: 'See the messages',
    })),
    hasMoreNeeds: oldest.length > maxNeeds,
  }
}
