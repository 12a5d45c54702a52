import { budgetStanding } from '../../domain/fixity/due/budgets.ts'
import { items, resolutions, standingIn, stores } from '../../domain/fixity/views.ts'
import { bytes, duration, plural } from '../../domain/kernel/amounts.ts'
import { is, rowsIfFolded, tally } from '../../domain/kernel/read-views.ts'
import { shellWord } from '../../domain/kernel/shell-word.ts'
import { addMillis, DAY, SECOND } from '../../domain/kernel/time.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import { standingOfCompared, sumOf } from '../../projections/fixity/questions/standing-differences.ts'
import { commandLine } from '../../projections/runtime/finder.ts'
import type { Cause } from '../cause.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { bagsNotValid } from './bags-not-valid.ts'
import { measureFixity } from './measure.ts'

type Known = Pick<WorkflowContext, 'viewStore' | 'clock'>

export const fixityCauses = (system: Known): readonly Cause[] =>
  system.viewStore.shape(resolutions.name)
    ? [findings, bagsNotValid, away, overdue, parked, newFiles, differing].flatMap((causes) => causes(system))
    : []

/** People who resolve findings of each class. */
const settlers: Readonly<Record<string, string>> = {
  internal: 'whoever looks after the storage',
  external: 'whoever keeps the records',
  manual: 'a person who decides',
}

const findings = ({ viewStore }: Known): readonly Cause[] =>
  tally(viewStore, resolutions, { by: ['store', 'class'], where: [is('status', 'open')] }).map(
    ({ store, class: kind, count }) => {
      const where = [is('status', 'open'), is('store', store), is('class', kind)]
      const [oldest] = rowsIfFolded(viewStore, resolutions, {
        where,
        orderBy: [{ column: 'openedAt' }],
        limit: 1,
      })
      const one = oldest && findingText(viewStore, oldest)
      return {
        key: `findings/${store}/${kind}`,
        says:
          `${plural(count, 'finding')} of ${store} wait${count === 1 ? 's' : ''} for ${settlers[kind] ?? kind} (${kind})` +
          `${one ? `${count === 1 ? '' : ', the oldest'}: ${one}` : ''}`,
        ...(oldest?.path && {
          brief: `${plural(count, 'finding')} of ${store} ${count === 1 ? 'waits' : 'wait, the oldest'}: ${oldest.path}`,
        }),
        todo: `\`fonds fixity findings ${store}\` lists them; \`fonds do fixity.resolve\` settles one`,
        page: oldest?.path && count === 1 ? itemPage(store ?? '', oldest.path) : '/fixity',
        weight: count,
      }
    },
  )

/** A person is told that a finding is closed which was opened since then: older ones are not looked through. */
const closedMillis = 365 * DAY
const maxAssigned = 10_000

/** Findings by the reference of the person whom they were given to. */
export const assignedFindings = ({ viewStore, clock }: Known): ReadonlyMap<string, readonly Cause[]> => {
  // A view that an older program folded has no such column.
  if (!viewStore.shape(resolutions.name)?.columns.assignee) return new Map()
  const since = addMillis(clock.now(), -closedMillis)
  const given = { column: 'assignee', is: '!=', value: null } as const
  const limit = maxAssigned
  const open = rowsIfFolded(viewStore, resolutions, { where: [is('status', 'open'), given], limit })
  const closed = rowsIfFolded(viewStore, resolutions, {
    where: [is('status', 'closed'), given, { column: 'openedAt', is: '>=', value: since }],
    limit,
  })
  const found = new Map<string, Cause[]>()
  for (const { assignee } of [...open, ...closed]) found.set(assignee ?? '', [])
  for (const row of open) {
    const { store, path, resolution } = row
    found.get(row.assignee ?? '')?.push({
      key: `finding/${resolution}`,
      says: `${store}/${findingText(viewStore, row)}`,
      brief: `yours to settle: ${store}/${path}`,
      todo: `\`${commandLine('fixity item', store ?? '', path ?? '')}\` shows what each witness reports; \`fonds do fixity.resolve store=${store} path=${shellWord(path ?? '')} how=…\` settles it`,
      page: itemPage(store ?? '', path ?? ''),
      weight: 1,
    })
  }
  return found
}

const itemPage = (store: string, path: string): string =>
  `/fixity/item?${new URLSearchParams({ store, path })}`

/** Path, cause and last good day of a finding, without a full stop. */
const findingText = (
  viewStore: Known['viewStore'],
  { store, path, summary }: Pick<RowOf<typeof resolutions>, 'store' | 'path' | 'summary'>,
): string => {
  const [item] = rowsIfFolded(viewStore, items, { where: [is('store', store), is('path', path)] })
  const good = item?.lastVerified
    ? `last good on ${item.lastVerified.slice(0, 10)}`
    : 'never found as recorded'
  return `${path}: ${summary.replace(/\.$/, '')} (${good})`
}

const away = ({ viewStore, clock }: Known): readonly Cause[] =>
  rowsIfFolded(viewStore, stores).flatMap((row) => {
    const standing = standingIn(row, clock.now())
    // A store that counts as gone is a finding already.
    return standing.kind === 'away'
      ? [
          {
            key: `away/${row.store}`,
            says: `store ${row.store} is away: it is found on no machine since ${standing.since}; its items are not checked`,
            todo: `mount it, or let Fonds read it; only if its content is gone, \`fonds do fixity.declare-gone store=${row.store}\` makes that a finding`,
            page: '/fixity',
            weight: 1,
          },
        ]
      : []
  })

/** Returns the stores whose cycle is late: one and a half intervals and a day have passed since the last full one. */
const overdue = (system: Known): readonly Cause[] => {
  const measured = measureFixity(system)
  const ofStore = (gauge: string) =>
    new Map(
      measured
        .filter((one) => one.gauge === gauge)
        .flatMap(({ values }) => values.map(({ labels, value }) => [String(labels.store), value] as const)),
    )
  const now = Date.parse(system.clock.now())
  const intervals = ofStore('fixity_interval_seconds')
  return [...ofStore('fixity_looked_since_timestamp_seconds')].flatMap(([store, since]) => {
    const age = now - since * SECOND
    return age > 1.5 * (intervals.get(store) ?? 0) * SECOND + DAY
      ? [
          {
            key: `cycle/${store}`,
            says: `the last full cycle of ${store} is ${duration(age)} old; it is to be ${duration((intervals.get(store) ?? 0) * SECOND)}`,
            todo: `${forBudget(system, store)}\`fonds fixity report --store ${store}\` says what is late or parked; \`fonds worker fixity\` runs another worker`,
            weight: 1,
          },
        ]
      : []
  })
}

/** Why a cycle cannot be in time, if it is for want of budget. */
const forBudget = ({ viewStore, clock }: Known, store: string): string => {
  const standing = budgetStanding(viewStore, store, clock.now())
  return standing?.goesOnAt
    ? `its checks wait for its byte budget of ${bytes(standing.bytesPerDay)} a day, and go on at ${standing.goesOnAt}: \`fonds do fixity.change-policy store=${store} bytesPerDay=…\` gives more; `
    : ''
}

const parked = (system: Known): readonly Cause[] =>
  measureFixity(system)
    .filter(({ gauge }) => gauge === 'fixity_items')
    .flatMap(({ values }) => values)
    .filter(({ labels, value }) => labels.state === 'parked' && value > 0)
    .map(({ labels: { store = '' }, value }) => ({
      key: `parked/fixity/${store}`,
      says: `${plural(value, 'item')} of ${store} could not be checked and ${value === 1 ? 'is' : 'are'} parked`,
      todo: `\`fonds query fixity-items --where store=${store} --where state=parked\` says why; \`fonds do fixity.revive store=${store}\` has them checked again`,
      weight: value,
    }))

/** New files of stores whose policy asks. */
const newFiles = ({ viewStore }: Known): readonly Cause[] =>
  standingOfCompared(viewStore)
    .filter(({ unrecorded, comparison }) => unrecorded > 0 && comparison.requests.length === 0)
    .map(({ unrecorded, first, comparison: { store } }) => {
      const one = first.find(({ difference }) => difference === 'new')?.path
      return {
        key: `new/${store}`,
        says: `${plural(unrecorded, 'file')} of ${store} ${unrecorded === 1 ? 'is' : 'are'} new, and not recorded${one === undefined ? '' : `: ${one}${unrecorded > 1 ? ' …' : ''}`}`,
        todo: `\`fonds fixity differences ${store}\` names them; \`fonds do fixity.take-in store=${store}\` records them`,
        page: differencesPage(store, 'new'),
        weight: unrecorded,
      }
    })

/** Its list on the page. */
const differencesPage = (store: string | null, difference?: 'new'): string =>
  `/fixity?${new URLSearchParams({ store: store ?? '', ...(difference && { difference }) })}`

/**
 * Recorded files that a comparison found otherwise: their next check, which makes them findings, may be far away. A file
 * with a finding waits for that alone.
 */
const differing = ({ viewStore }: Known): readonly Cause[] =>
  standingOfCompared(viewStore).flatMap(({ needs, first, comparison: { store } }) => {
    const { missing, moved, changed } = needs
    const count = sumOf(needs)
    if (count === 0) return []
    const waiting = first.filter(({ difference, waitsFor }) => difference !== 'new' && waitsFor === null)
    const one = (waiting.find(({ difference }) => difference !== 'moved') ?? waiting[0])?.path
    const kinds = [
      [missing, 'missing'],
      [changed, 'of another size'],
      [moved, 'moved'],
    ] as const
    const amounts = kinds.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}`)
    return [
      {
        key: `differs/${store}`,
        says: `${plural(count, 'recorded file')} of ${store} ${count === 1 ? 'is' : 'are'} not there as recorded (${amounts.join(', ')})${one === undefined ? '' : `: ${one}${count > 1 ? ' …' : ''}`}`,
        todo: `\`fonds fixity differences ${store}\` names them; \`fonds fixity check\` of their folders says what each witness reports`,
        page: differencesPage(store),
        weight: count,
      },
    ]
  })
