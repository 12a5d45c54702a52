import { type Answer, get } from '../../../api/client.ts'
import { count, plural } from '../../../parts/words.ts'
import { itemAt } from '../../fixity/addresses.ts'
import { maxNeeds, type Need, type Report, type Workflow } from '../report.ts'

type Stores = Answer<'/api/v1/fixity/stores'>
type Count = keyof Stores['stores'][number]['counts']
type Findings = Answer<'/api/v1/fixity/findings'>
type Differences = Answer<'/api/v1/fixity/differences'>

export const fixity: Workflow = {
  name: 'fixity',
  title: 'Is the content still what it was?',
  page: '/fixity',
  ask: async (signal) => {
    // One more than is listed: there are more.
    const limit = maxNeeds + 1
    const [{ data: stores }, { data: findings }, { data: differences }] = await Promise.all([
      get('/api/v1/fixity/stores', { query: { days: 1 } }, signal),
      get('/api/v1/fixity/findings', { query: { limit } }, signal),
      get('/api/v1/fixity/differences', {}, signal),
    ])
    const total = (of: Count) => stores.stores.reduce((sum, { counts }) => sum + counts[of], 0)
    const cycles = stores.stores.flatMap(({ fullCycleSince }) => fullCycleSince ?? [])
    const isWhole = cycles.length > 0 && cycles.length === stores.stores.length
    return {
      ...conditionOf(findings, total),
      amount: {
        value: count(total('expected')),
        of: `${total('expected') === 1 ? 'item' : 'items'} in ${plural(stores.stores.length, 'store')}`,
      },
      facts: [
        ['As recorded', count(total('verified'))],
        ['Never checked', count(total('unchecked'))],
        ['Late', count(total('late'))],
        ...(isWhole ? [['Oldest check', cycles.toSorted()[0] ?? ''] as const] : []),
      ],
      needs: [
        ...findings.findings.slice(0, maxNeeds).map(toSettle),
        ...findings.parked.slice(0, maxNeeds).map(toRevive(stores.at)),
        ...findings.bags.slice(0, maxNeeds).map(toPutRight),
        ...awayIn(stores),
        ...differing(differences),
      ],
      hasMoreNeeds: [findings.findings, findings.parked, findings.bags].some(
        ({ length }) => length > maxNeeds,
      ),
    }
  },
}

const toSettle = ({ store, path, summary, openedAt }: Findings['findings'][number]): Need => ({
  since: openedAt,
  subject: `${store}/${path}`,
  says: summary,
  is: 'wrong',
  href: itemAt(store, path),
  thing: `${store}/${path}`,
  verb: 'Settle it',
})

/** As far as views tell: not checked for so long. */
const toRevive =
  (now: string) =>
  ({ store, path, lastChecked, recordedAt, because }: Findings['parked'][number]): Need => ({
    since: lastChecked ?? recordedAt ?? now,
    subject: `${store}/${path}`,
    says: `could not be checked in that time: ${because ?? 'no reason is known'}`,
    href: itemAt(store, path),
    thing: `${store}/${path}`,
    verb: 'See the item',
  })

const toPutRight = ({ store, bag, because, since }: Findings['bags'][number]): Need => ({
  since,
  subject: `${store}/${bag}`,
  says: `is a bag that is not valid: ${because}`,
  href: '/fixity',
  verb: 'See the bags',
})

const awayIn = ({ stores, at }: Stores): readonly Need[] =>
  stores
    .filter(({ standing }) => standing === 'away')
    .map(({ store, since, why }) => ({
      since: since ?? at,
      subject: store,
      says: `is found on no machine${why === null ? '' : `: ${why}`}`,
      is: 'away',
      href: '/fixity',
      thing: store,
      verb: 'See the stores',
    }))

/** New files that wait for a person; and files that a comparison found otherwise and that wait for nothing else. */
const differing = ({ stores, first, at }: Differences): readonly Need[] =>
  stores.flatMap(({ store, newFiles, comparedAt, unrecorded, unsettled, requested }) => {
    // The last comparison of a store that is compared no more tells nothing of today.
    if (newFiles === null) return []
    const one = first.find(
      ({ difference, waitsFor, ...of }) => of.store === store && difference !== 'new' && waitsFor === null,
    )
    const need = (says: string): Need => ({
      since: comparedAt ?? at,
      subject: store,
      says,
      href: '/fixity',
      thing: store,
      verb: 'See the stores',
    })
    return [
      ...(unrecorded > 0 && requested === 0
        ? [need(`${plural(unrecorded, 'file is', 'files are')} new, and not recorded`)]
        : []),
      ...(unsettled > 0
        ? [
            need(
              `${plural(unsettled, 'file is', 'files are')} not there as recorded${one ? `, such as ${one.path}` : ''}`,
            ),
          ]
        : []),
    ]
  })

/** Well is said only of what was checked and found as recorded. */
const conditionOf = (findings: Findings, total: (of: Count) => number): Pick<Report, 'is' | 'says'> => {
  const open = findings.ages.reduce((sum, { count }) => sum + count, 0)
  if (open > 0) return { is: 'wrong', says: `${plural(open, 'finding')} to settle` }
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
      is: worst[0] === 'failed' ? 'wrong' : 'needs somebody',
      says: `${plural(total(worst[0]), `item ${worst[1]}`, `items ${worst[2]}`)}`,
    }
  const bags = findings.bags.length
  if (bags > 0)
    return {
      is: 'needs somebody',
      says: `${bags > maxNeeds ? `${maxNeeds}+ bags` : plural(bags, 'bag')} ${bags === 1 ? 'is' : 'are'} not valid`,
    }
  if (total('expected') === 0) return { is: 'idle', says: 'nothing is recorded yet' }
  return total('unchecked') > 0
    ? {
        is: 'well',
        says: `no finding is open; ${plural(total('unchecked'), 'item was', 'items were')} never checked yet`,
      }
    : { is: 'well', says: 'no finding is open, and no check is late' }
}
