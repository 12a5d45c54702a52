import { files } from '../../domain/indexing/views.ts'
import { count, plural } from '../../domain/kernel/amounts.ts'
import { countIfFolded, countRows, is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { variableOf } from '../../domain/kernel/setting.ts'
import { addMillis, MINUTE } from '../../domain/kernel/time.ts'
import { lateHours, lateSince } from '../../projections/indexing/questions/file-lines.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import { ledInside, mostRead, type Reason } from '../inner-hosts.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { indexingContext } from './context.ts'
import { indexPlace } from './index-place.ts'
import type { IndexingConfig } from './settings.ts'

/** Longest that lines may wait for the aggregator, which polls each second. */
const waitMillis = 5 * MINUTE

export const indexingChecks = async (
  context: WorkflowContext<IndexingConfig>,
): Promise<readonly Finding[]> => [
  ...(await captureIndex(context)),
  ...(await suspectRuns(context)),
  ...lateFiles(context),
  ...filesWithoutRequestKeys(context),
  ...ledInside(variableOf('ingestHosts'), 'archive file', reasonsOfFiles(context.viewStore)),
]

/** Files that were indexed before their keys were to say what was sent; nothing if keys are not to. */
const filesWithoutRequestKeys = ({
  viewStore,
  config,
}: Pick<WorkflowContext<IndexingConfig>, 'viewStore' | 'config'>): readonly Finding[] => {
  if (config.indexingRequestKeys === 'off') return []
  const number = countIfFolded(viewStore, files, ...withoutRequestKeys)
  if (number === undefined) return []
  return [
    number === 0
      ? ok('keys of requests', 'every indexed file has them')
      : warn(
          'keys of requests',
          `${plural(number, 'file')} ${number === 1 ? 'was' : 'were'} indexed before ${variableOf('indexingRequestKeys')} was on: what was posted is not in the keys of ${number === 1 ? 'its' : 'their'} lines`,
          indexAgain,
        ),
  ]
}

/** Files that others indexed are left out: their lines are not known. */
const withoutRequestKeys = [
  is('state', 'indexed'),
  is('kind', 'content'),
  is('requestKeys', 0),
  { column: 'lines', is: '>=', value: 0 },
] as const

const indexAgain =
  "`fonds query indexing-files --where state=indexed --where kind=content --where requestKeys=0 --where 'lines>=0' --columns repository,name | fonds do indexing.reset --each - --actor <name> --reason 'keys of requests'` has them indexed again"

/** A reader leaves damage out at once; the number of lost lines is known once an aggregator has checked. */
const suspectRuns = async ({ adapters }: WorkflowContext): Promise<readonly Finding[]> =>
  (await adapters.indexing.captureIndex().runs())
    .filter(({ isSuspect }) => isSuspect)
    .map(({ name }) =>
      warn(
        'capture index',
        `the run ${name} has damaged blocks, which are not served; how many lines that costs is not counted yet`,
        '`fonds start`, `fonds indexing run` or `fonds worker aggregator` checks it, and has available files indexed again',
      ),
    )

/** Files that the index should have had for long; nothing if no file is known. */
export const lateFiles = ({
  viewStore,
  clock,
}: Pick<WorkflowContext, 'viewStore' | 'clock'>): readonly Finding[] => {
  if (!viewStore.shape(files.name)) return []
  const where = lateSince(clock.now(), lateHours)
  const [oldest] = rowsIfFolded(viewStore, files, {
    where,
    orderBy: [{ column: 'unpublishedSince' }],
    limit: 1,
  })
  if (!oldest?.unpublishedSince) return []
  const late = countRows(viewStore, files, ...where)
  return [
    warn(
      'archive files',
      `${plural(late, 'file')} ${late === 1 ? 'has' : 'have'} not been in the index for ${lateHours} hours, the oldest since ${oldest.unpublishedSince}`,
      '`fonds indexing late` lists them, and `fonds indexing why <file>` says what each waits for',
    ),
  ]
}

/** Checks whether indexed lines are in the index of captures; nothing if no file was indexed. */
const captureIndex = async (system: WorkflowContext<IndexingConfig>): Promise<readonly Finding[]> => {
  const { viewStore, clock } = system
  const [last] = rowsIfFolded(viewStore, files, {
    where: [{ column: 'position', is: '>=', value: 0 }],
    orderBy: [{ column: 'position', descending: true }],
    limit: 1,
  })
  if (last?.position == null) return []
  const { reached, mismatch } = await indexPlace(indexingContext(system))
  if (mismatch !== undefined)
    return [fail('capture index', mismatch, 'docs/indexing.md, Back up and restore')]
  const [waits] = rowsIfFolded(viewStore, files, {
    where: [{ column: 'position', is: '>', value: Number(reached) }],
    orderBy: [{ column: 'position' }],
    limit: 1,
  })
  return [
    waits?.indexedAt && waits.indexedAt < addMillis(clock.now(), -waitMillis)
      ? warn(
          'capture index',
          `lines wait to be taken over since ${waits.indexedAt}`,
          '`fonds start` or `fonds worker aggregator` takes them; their log says why, where they do not',
        )
      : ok('capture index', `it has what was decided up to position ${count(Number(reached))}`),
  ]
}

export const reasonsOfFiles = (viewStore: WorkflowContext['viewStore']): readonly Reason[] =>
  rowsIfFolded(viewStore, files, {
    where: [is('state', 'parked')],
    orderBy: [{ column: 'date', descending: true }],
    limit: mostRead,
  }).map(({ because }) => because)
