import { type Answer, get } from '../../../api/client.ts'
import { nowUnder } from '../../../api/past.ts'
import { count, plural } from '../../../parts/words.ts'
import { itemAt } from '../../fixity/addresses.ts'
import { maxNeeds, type Need, type Report, startOfDay, type Workflow } from '../report.ts'

type Stores = Answer<'/api/v1/fixity/stores'>
type Count = keyof Stores['stores'][number]['counts']
type Findings = Answer<'/api/v1/fixity/findings'>

export const fixity: Workflow = {
  name: 'fixity',
  title: 'Is the content still what it was?',
  page: '/fixity',
  ask: async (signal) => {
    const since = startOfDay(13, nowUnder(signal))
    // One more than is listed: there are more.
    const limit = maxNeeds + 1
    const [{ data: stores }, { data: period }, { data: findings }] = await Promise.all([
      get('/api/v1/fixity/stores', { query: { days: 1 } }, signal),
      get('/api/v1/reports/fixity/period', { query: { since, counts: true } }, signal),
      get('/api/v1/fixity/findings', { query: { limit } }, signal),
    ])
    const total = (of: Count) => stores.stores.reduce((sum, { counts }) => sum + counts[of], 0)
    const cycles = stores.stores.flatMap(({ fullCycleSince }) => fullCycleSince ?? [])
    const isWhole = cycles.length > 0 && cycles.length === stores.stores.length
    return {
      ...conditionOf(findings, total),
      amount: [
        `${plural(total('expected'), 'item')} in ${plural(stores.stores.length, 'store')}`,
        `${count(total('unchecked'))} never checked`,
        ...(isWhole ? [`oldest check ${cycles.toSorted()[0]}`] : []),
      ].join(', '),
      speed: `${plural(period.successes + period.failures, 'check')} in 14 days`,
      ...(total('late') > 0 && { until: `${plural(total('late'), 'check')} late` }),
      days: {
        says: 'Checks a day',
        bars: period.steps.map(({ step, successes, failures }) => ({
          label: step,
          value: successes + failures,
        })),
      },
      needs: [
        ...findings.findings.slice(0, maxNeeds).map(toSettle),
        ...findings.parked.slice(0, maxNeeds).map(toRevive(stores.at)),
        ...awayIn(stores),
      ],
      hasMoreNeeds: findings.findings.length > maxNeeds || findings.parked.length > maxNeeds,
    }
  },
}

const toSettle = ({ store, path, summary, openedAt }: Findings['findings'][number]): Need => ({
  since: openedAt,
  says: `${store}/${path}: ${summary}`,
  href: itemAt(store, path),
  thing: `${store}/${path}`,
  verb: 'Settle it',
})

/** As far as views tell: not checked for so long. */
const toRevive =
  (now: string) =>
  ({ store, path, lastChecked, recordedAt, because }: Findings['parked'][number]): Need => ({
    since: lastChecked ?? recordedAt ?? now,
    says: `${store}/${path} could not be checked in that time: ${because ?? 'no reason is known'}`,
    href: itemAt(store, path),
    thing: `${store}/${path}`,
    verb: 'See the item',
  })

const awayIn = ({ stores, at }: Stores): readonly Need[] =>
  stores
    .filter(({ standing }) => standing === 'away')
    .map(({ store, since, why }) => ({
      since: since ?? at,
      says: `${store} is found on no machine${why === null ? '' : `: ${why}`}`,
      href: '/fixity',
      thing: store,
      verb: 'See the stores',
    }))

/** Well is said only of what was checked and found as recorded. */
const conditionOf = (findings: Findings, total: (of: Count) => number): Pick<Report, 'is' | 'says'> => {
  const open = findings.ages.reduce((sum, { count }) => sum + count, 0)
  if (open > 0) return { is: 'needs somebody', says: `${plural(open, 'finding')} to settle` }
  const worst = (
    [
      ['failed', 'is not as recorded', 'are not as recorded'],
      ['suspect', 'is suspect', 'are suspect'],
      ['parked', 'failed too often to be checked', 'failed too often to be checked'],
      ['late', 'is late to be checked: do workers run?', 'are late to be checked: do workers run?'],
    ] as const
  ).find(([of]) => total(of) > 0)
  if (worst)
    return {
      is: 'needs somebody',
      says: `${plural(total(worst[0]), `item ${worst[1]}`, `items ${worst[2]}`)}`,
    }
  if (total('expected') === 0) return { is: 'idle', says: 'nothing is recorded yet' }
  return total('unchecked') > 0
    ? { is: 'well', says: `no finding is open; ${count(total('unchecked'))} items were never checked yet` }
    : { is: 'well', says: 'no finding is open, and no check is late' }
}
