import { drops, holds, jobs, storageDifferences } from '../../domain/ingest/views.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { countRows, is, isSet, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { dropAddresses } from '../../workers/ingest/drops/drop-places.ts'
import { workAreaOf } from '../../workers/ingest/work-area.ts'
import { type Cause, counted } from '../cause.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { roomForIngest } from './room.ts'
import type { IngestConfig } from './settings.ts'
import { sitesAway } from './sites-away.ts'

type Known = Pick<WorkflowContext, 'viewStore'>

export const ingestCauses = async (context: WorkflowContext<IngestConfig>): Promise<readonly Cause[]> => [
  ...parkedIngest(context),
  ...storageDiffers(context),
  ...onHold(context),
  ...(await roomForIngest(context, workAreaOf(context.config))),
  ...sitesAway(context),
  ...dropsRefused(context),
]

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

const dropsRefused = ({ config, viewStore }: WorkflowContext<IngestConfig>): readonly Cause[] => {
  if (!viewStore.shape(drops.name)) return []
  const places = dropAddresses(config.ingestDrops)
  return rowsIfFolded(viewStore, drops, { where: [isSet('reason')] })
    .filter(({ place }) => places.includes(place))
    .map(({ place, reason, since }) => ({
      key: `drops/${place}`,
      says: `not all that was dropped in ${place} is taken in, since ${since}: ${reason}`,
      todo: 'it is tried again each time that the place is listed (FONDS_INGEST_DROP_SECONDS); `fonds doctor` says what this process may do there',
      weight: 1,
    }))
}

const onHold = ({ viewStore }: Known): readonly Cause[] =>
  rowsIfFolded(viewStore, holds).map(({ scope, collection, since, actor, reason }) => ({
    key: `hold/${scope}`,
    says: `${collection === null ? 'all ingest' : `the collection ${collection}`} is on hold since ${since}, by ${actor}: ${reason}`,
    todo:
      collection === null
        ? '`fonds do ingest.unpause` resumes it'
        : `\`fonds do ingest.release-collection collection=${collection}\` resumes it`,
    weight: 1,
  }))
