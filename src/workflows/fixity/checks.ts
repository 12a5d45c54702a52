import { withTimeout } from '../../async/with-timeout.ts'
import { budgetStanding } from '../../domain/fixity/due/budgets.ts'
import { itsRoot } from '../../domain/fixity/store/root.ts'
import { whereItIs } from '../../domain/fixity/store/sightings.ts'
import { items, sightingsIn, standingIn, stores as storesView } from '../../domain/fixity/views.ts'
import { bytes, plural } from '../../domain/kernel/amounts.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { is, rowsIfFolded, tally } from '../../domain/kernel/read-views.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import { visible } from '../../domain/kernel/visible.ts'
import { findStore } from '../../workers/fixity/find-store.ts'
import { bucketFindings } from '../bucket-findings.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { fixityContext } from './context.ts'

const patienceMillis = 10 * SECOND

/** Returns a line for each folder store: whether the recorded store is found here. */
export const fixityChecks = async (system: WorkflowContext): Promise<readonly Finding[]> => {
  const rows = rowsIfFolded(system.viewStore, storesView, { where: [is('kind', 'folder')] })
  const findings = await Promise.all([
    ...rows.map(async (row) => [await storeFinding(system, row)]),
    ...rows.map((row) => bucketOf(system, row)),
    ...rows.map(async (row) => budgetOf(system, row)),
  ])
  return findings.flat()
}

/** Returns what a store's bucket lets this process do; nothing for a store that is a folder. */
const bucketOf = async (
  system: WorkflowContext,
  { store, root }: RowOf<typeof storesView>,
): Promise<readonly Finding[]> => {
  if (root === null || !isBucketAddress(root)) return []
  const inspection = await fixityContext(system).inspectBucket(root, AbortSignal.timeout(patienceMillis))
  return bucketFindings(store, root, inspection)
}

/** Returns how far a store's byte budget goes; nothing for a store without one. */
const budgetOf = (
  { viewStore, clock }: WorkflowContext,
  { store, intervalDays }: RowOf<typeof storesView>,
): readonly Finding[] => {
  const standing = budgetStanding(viewStore, store, clock.now())
  if (!standing) return []
  const { bytesPerDay, read, inHand, waiting, goesOnAt } = standing
  const all = tally(viewStore, items, {
    by: [],
    sum: ['size'],
    where: [is('store', store), is('removed', 0)],
  })
  const days = Math.ceil((all[0]?.size ?? 0) / bytesPerDay)
  const sentence =
    `${store}: ${bytes(read + inHand)} of the ${bytes(bytesPerDay)} that its checks may read in a day of UTC` +
    (goesOnAt === null ? '' : `; ${plural(waiting, 'check')} of it wait, and go on at ${goesOnAt}`)
  return days > (intervalDays ?? 0)
    ? [
        warn(
          'budget',
          `${sentence}; all of it takes ${plural(days, 'day')}, and is to be checked in ${plural(intervalDays ?? 0, 'day')}`,
          `\`fonds do fixity.change-policy store=${store} bytesPerDay=…\` gives it more, or intervalDays=… more time`,
        ),
      ]
    : [ok('budget', sentence)]
}

const storeFinding = async (system: WorkflowContext, row: RowOf<typeof storesView>): Promise<Finding> => {
  const { store, root, awaySeconds } = row
  const { clock } = system
  const found = await withTimeout(
    findStore(fixityContext(system), store, root ?? ''),
    patienceMillis,
    () => ({ isThere: false, why: `${itsRoot(root ?? '')} does not answer`, isUnreadable: true }) as const,
    clock,
  )
  if (found.isThere) return ok('store', `${store}: found in ${visible(root ?? '')}`)
  const sentence = `${store}: ${visible(found.why)}`
  const [elsewhere] = whereItIs(sightingsIn(row), awaySeconds, clock.now())
  if (elsewhere !== undefined)
    return warn(
      'store',
      sentence,
      `its checks run on ${visible(elsewhere)}; let this machine read it, too, to share the work`,
    )
  const standing = standingIn(row, clock.now())
  if (standing.kind === 'gone')
    return fail(
      'store',
      `${sentence}; its absence is a finding since ${row.goneAt ?? standing.since}`,
      restore,
    )
  const since =
    standing.kind === 'away' ? `away since ${standing.since}` : 'no worker has looked for it since'
  return fail(
    'store',
    `${sentence}; ${since}, and its items are not checked`,
    found.isUnreadable
      ? 'let the user that runs Fonds read it; its checks then go on by themselves'
      : `${isBucketAddress(root ?? '') ? 'restore it' : 'mount it'}; if it is gone, \`fonds do fixity.declare-gone store=${store}\` makes that a finding`,
  )
}

const restore = 'restore it; `fonds query fixity-resolutions --where status=open` lists what is missed'
