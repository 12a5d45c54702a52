import { files } from '../../domain/indexing/views.ts'
import { holds, jobs, storageDifferences } from '../../domain/ingest/views.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { countRows, is, isSet, row, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { letters } from '../../domain/kernel/views.ts'
import { clips, episodes, failures, policy } from '../../domain/research/views.ts'
import { matching } from '../../projections/matching/projection.ts'
import { stuck } from '../../projections/matching/questions/stuck.ts'
import { houseOf } from '../../workers/ingest/ingester-context.ts'
import { groupPositions } from '../lags.ts'
import { refusedQuestions } from '../question-deaths.ts'
import type { System } from '../system.ts'
import type { Cause } from './cause.ts'
import { fixityCauses } from './fixity.ts'
import { lostLines } from './lost-lines.ts'
import { roomForIngest } from './room-for-ingest.ts'
import { sitesAway } from './sites-away.ts'

/** All that people must do, by the views of this process and by the groups. Throws `UnavailableError`. */
export const causesOf = async (system: System): Promise<readonly Cause[]> => [
  ...fixityCauses(system),
  ...parkedIngest(system),
  ...storageDiffers(system),
  ...parkedFiles(system),
  ...parkedResearch(system),
  ...deadLetters(system),
  ...refusedQuestions(system),
  ...onHold(system),
  ...stuckWorks(system),
  ...(await roomForIngest(system, houseOf(system.config).ingest)),
  ...sitesAway(system),
  ...(await lostLines(system)),
  ...(await stoppedGroups(system)),
]

type Known = Pick<System, 'viewStore' | 'clock'>

const parkedIngest = ({ viewStore }: Known): readonly Cause[] =>
  counted(viewStore.shape(jobs.name) ? countRows(viewStore, jobs, is('state', 'failed')) : 0, (count) => ({
    key: 'failed/ingest',
    says: `${plural(count, 'job')} of ingest failed`,
    todo: '`fonds query ingest-jobs --where state=failed` says why; `fonds do ingest.resume-job job=… to=…` goes on with one, `fonds do ingest.delete-job` gives it up',
  }))

const storageDiffers = ({ viewStore }: Known): readonly Cause[] =>
  counted(
    viewStore.shape(storageDifferences.name) ? countRows(viewStore, storageDifferences) : 0,
    (count) => ({
      key: 'storage-differs/ingest',
      says: `storage holds something else than the log knows of ${plural(count, 'object')}`,
      todo: '`fonds ingest audit` lists it; `fonds do ingest.adopt-versions object=…` takes over what storage holds more, `fonds do ingest.set-aside-versions object=…` takes it out',
    }),
  )

const parkedFiles = ({ viewStore }: Known): readonly Cause[] =>
  counted(viewStore.shape(files.name) ? countRows(viewStore, files, is('state', 'parked')) : 0, (count) => ({
    key: 'parked/indexing',
    says: `${plural(count, 'archive file')} could not be indexed and ${count === 1 ? 'is' : 'are'} parked`,
    todo: '`fonds query indexing-files --where state=parked` says why; `fonds do indexing.rescue repository=… name=…` tries one again',
  }))

const parkedResearch = ({ viewStore }: Known): readonly Cause[] =>
  counted(
    viewStore.shape(failures.name)
      ? countRows(viewStore, failures, isSet('parkedAt')) +
          countRows(viewStore, episodes, isSet('parkedAt'), is('withdrawnAt', null)) +
          countRows(viewStore, clips, isSet('parkedAt'), is('withdrawnAt', null))
      : 0,
    (count) => ({
      key: 'parked/research',
      says: `${plural(count, 'pair or medium', 'pairs and media')} of research ${count === 1 ? 'is' : 'are'} parked`,
      todo: '`fonds research parked` names causes and commands',
    }),
  )

const deadLetters = ({ viewStore }: Known): readonly Cause[] =>
  counted(
    viewStore.shape(letters.name) ? countRows(viewStore, letters, is('status', 'waiting')) : 0,
    (count) => ({
      key: 'dead-letters',
      says: `${plural(count, 'message')} could not be used`,
      todo: '`fonds dead-letters list` says why; `fonds dead-letters retry` or `discard` settles one',
    }),
  )

const onHold = ({ viewStore }: Known): readonly Cause[] => {
  const paused = viewStore.shape(policy.name) ? row(viewStore, policy) : undefined
  return [
    ...rowsIfFolded(viewStore, holds).map(({ scope, collection, since, actor, reason }) => ({
      key: `hold/${scope}`,
      says: `${collection === null ? 'all ingest' : `the collection ${collection}`} is on hold since ${since}, by ${actor}: ${reason}`,
      todo:
        collection === null
          ? '`fonds do ingest.unpause` goes on'
          : `\`fonds do ingest.release-collection collection=${collection}\` goes on`,
      weight: 1,
    })),
    ...(typeof paused?.pausedAt === 'string'
      ? [
          {
            key: 'paused/research',
            says: `research is paused since ${paused.pausedAt}: ${paused.pausedReason ?? ''}`,
            todo: '`fonds do research.resume` goes on',
            weight: 1,
          },
        ]
      : []),
  ]
}

/** What the views alone show. */
const stuckWorks = ({ viewStore, clock }: Known): readonly Cause[] => {
  const count = viewStore.live(matching.name) ? stuck(viewStore, clock.now(), {}).length : 0
  return counted(count, () => ({
    key: 'stuck/matching',
    says: `${plural(count, 'update')} of matching cannot be seen`,
    todo: '`fonds matching stuck` says which, why, and what helps',
  }))
}

/** Messages wait, and no process takes them. */
const stoppedGroups = async (system: System): Promise<readonly Cause[]> => {
  const groups = Map.groupBy(await groupPositions(system), ({ group }) => group)
  return [...groups].flatMap(([group, places]) => {
    const lag = places.reduce((sum, { committed, end }) => sum + end - committed, 0n)
    return lag > 0n && places.every(({ members }) => members === 0)
      ? [
          {
            key: `stopped/${group}`,
            says: `${plural(lag, 'message')} wait for ${group}, and no process takes them`,
            todo: '`fonds start` runs processors; where it does, its log says why this group stands still',
            weight: 1,
          },
        ]
      : []
  })
}

const counted = (weight: number, cause: (count: number) => Omit<Cause, 'weight'>): readonly Cause[] =>
  weight > 0 ? [{ ...cause(weight), weight }] : []
