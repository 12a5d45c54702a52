import { type Answer, get } from '../../../api/client.ts'
import { count, moment, plural } from '../../../parts/words.ts'
import { episodeAt, findingsAt } from '../../research/addresses.ts'
import { maxNeeds, type Need, type Report, type Workflow } from '../report.ts'

export const research: Workflow = {
  name: 'research',
  title: 'Which clips are in which recordings?',
  page: '/research',
  ask: async (signal) => {
    const [{ data: progress }, { data: parked }, { data: desk }] = await Promise.all([
      get('/api/v1/research/progress', {}, signal),
      get('/api/v1/research/parked', { query: { limit: maxNeeds } }, signal),
      get('/api/v1/views/research-desk', { query: { limit: 1 } }, signal),
    ])
    const paused = desk.rows[0]
    const end = progress.forecast
    return {
      ...conditionOf(progress, paused?.pausedAt ? String(paused.pausedReason) : undefined),
      amount: {
        value: count(progress.researched),
        of: `of ${plural(progress.pairs, 'pair')} listened to`,
      },
      facts: [
        ['Found', count(progress.found)],
        ...(progress.rate ? [['In the last hour', count(Math.round(progress.rate.hour))] as const] : []),
        ...(end
          ? [['Done about', moment(new Date(end)).slice(0, 16)] as const]
          : progress.open > 0
            ? [['Done about', 'no forecast'] as const]
            : []),
      ],
      needs: [
        ...parked.parked.map(
          ({ episode, clip, parkedAt, error }): Need => ({
            since: parkedAt,
            subject: [episode, clip].filter(Boolean).join(' and '),
            says: error,
            href: episode ? episodeAt(episode) : findingsAt(String(clip)),
            thing: episode ?? String(clip),
            verb: episode ? 'See the episode' : 'See the clip',
          }),
        ),
        ...(paused?.pausedAt
          ? [
              {
                since: paused.pausedAt,
                subject: 'Research',
                is: 'held' as const,
                says: `is paused: ${paused.pausedReason}`,
                href: '/research',
                verb: 'See research',
              },
            ]
          : []),
      ],
      hasMoreNeeds: parked.parked.length === maxNeeds,
    }
  },
}

const conditionOf = (
  { pairs, open, leased, parked, rate }: Answer<'/api/v1/research/progress'>,
  paused: string | undefined,
): Pick<Report, 'is' | 'says'> => {
  if (paused !== undefined) return { is: 'held', says: `paused: ${paused}` }
  if (parked > 0) return { is: 'needs somebody', says: `${plural(parked, 'item')} failed too often` }
  if (pairs === 0) return { is: 'idle', says: 'no clip is looked for in any episode yet' }
  if (open > 0 && leased === 0 && rate.hour === 0)
    return {
      is: 'needs somebody',
      says: `${plural(open, 'pair waits', 'pairs wait')}, and nobody listens: do researchers run?`,
    }
  return {
    is: open === 0 ? 'well' : 'under way',
    says: open === 0 ? 'all that is known was listened to' : 'work goes on, none is parked',
  }
}
