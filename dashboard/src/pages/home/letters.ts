import { get } from '../../api/client.ts'
import { plural } from '../../parts/words.ts'
import { lettersAt } from '../log/addresses.ts'
import { maxNeeds, type Need } from './report.ts'

/** Messages that could not be used, of whatever workflow, by reason. */
export const letterNeeds = async (
  signal: AbortSignal,
): Promise<{ readonly needs: readonly Need[]; readonly hasMoreNeeds: boolean }> => {
  const { data } = await get('/api/v1/dead-letters/groups', {}, signal)
  const oldest = data.groups.toSorted((a, b) => (a.first < b.first ? -1 : 1))
  return {
    needs: oldest.slice(0, maxNeeds).map(({ reason, topic, count, first, example }) => ({
      since: first,
      says: `${plural(count, 'message')} of ${topic} could not be used (${reason}), such as: ${example.message ?? example.id}`,
      href: lettersAt(reason, topic),
      verb: 'See the messages',
    })),
    hasMoreNeeds: oldest.length > maxNeeds,
  }
}
