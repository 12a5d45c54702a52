import { get } from '../../../api/client.ts'
import { count, plural } from '../../../parts/words.ts'
import { graphAt } from '../../matching/addresses.ts'
import { maxNeeds, type Need, type Report, type Workflow } from '../report.ts'

export const matching: Workflow = {
  name: 'matching',
  title: 'Which records are about the same work?',
  page: '/matching',
  ask: async (signal) => {
    const [{ data: summary }, { data: stuck }] = await Promise.all([
      get('/api/v1/matching/summary', {}, signal),
      get('/api/v1/matching/stuck', { query: { limit: maxNeeds } }, signal),
    ])
    const works = Object.values(summary.works).reduce((sum, n) => sum + n, 0)
    const waiting = summary.unmatched + summary.unindexed
    return {
      ...conditionOf(works, stuck.stuck.length, waiting),
      amount: { value: count(works), of: works === 1 ? 'record' : 'records' },
      facts: [
        ['Graphs', count(summary.components)],
        ['Links', count(summary.links)],
        ['On the way', count(waiting)],
      ],
      needs: stuck.stuck.map(
        ({ id, since, says }): Need => ({
          since,
          subject: id,
          says,
          href: graphAt(id),
          thing: id,
          verb: 'See the graph',
        }),
      ),
      hasMoreNeeds: stuck.stuck.length === maxNeeds,
    }
  },
}

const conditionOf = (works: number, stuck: number, waiting: number): Pick<Report, 'is' | 'says'> => {
  if (stuck > 0) return { is: 'needs somebody', says: `${plural(stuck, 'update')} accepted and not visible` }
  if (works === 0) return { is: 'idle', says: 'no record is known yet' }
  return {
    is: 'well',
    says: waiting === 0 ? 'all that was accepted is visible' : 'updates are on the way, none is stuck',
  }
}
