import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { ClipEvent } from '../../domain/research/clip/events.ts'
import type { Details } from '../../domain/research/curation.ts'
import type { EpisodeEvent } from '../../domain/research/episode/events.ts'
import type { Handlers } from '../runtime/projection.ts'
import { endAnomaly } from './anomaly-rows.ts'
import { moveMedia } from './media-rows.ts'
import { clipResultsOf, episodeResultsOf } from './subject-rows.ts'
import type { EpisodeRow, ResearchTables, Subject } from './tables.ts'

/** Columns of episodes and clips alike. */
export type CurationRow = Omit<EpisodeRow, 'episode'>
type CurationEvent = Extract<EpisodeEvent, Extract<ClipEvent, { readonly type: EpisodeEvent['type'] }>>

/** Row before any curation: results, failures and commands may name it earlier. */
const uncurated: CurationRow = {
  title: null,
  description: null,
  mediaUri: null,
  mediaType: null,
  foreign: 0,
  curator: null,
  priority: 0,
  curatorPriority: null,
  personPriority: null,
  firstCuratedAt: null,
  curatedAt: null,
  withdrawnAt: null,
  excluded: 0,
  pinned: 0,
  failures: 0,
  error: null,
  retryAt: null,
  parkedAt: null,
}

/** Columns without any failure of its own media that counts. */
export const noFailures = { failures: 0, error: null, retryAt: null, parkedAt: null } as const

const curationOf = (tables: ResearchTables, subject: Subject, id: string): CurationRow =>
  (subject === 'episode' ? tables['research-episodes'].get(id) : tables['research-clips'].get(id)) ??
  uncurated

export const changeCuration = (
  tables: ResearchTables,
  subject: Subject,
  id: string,
  change: (row: CurationRow) => Partial<CurationRow>,
): void => {
  const before = curationOf(tables, subject, id)
  const after = { ...before, ...change(before) }
  if (subject === 'episode') tables['research-episodes'].put({ episode: id, ...after })
  else tables['research-clips'].put({ clip: id, ...after })
}

/** Handlers for the curation of an episode or a clip, by curators and people. */
export const curationHandlers = (subject: Subject): Handlers<CurationEvent, ResearchTables> => ({
  Curated: (data, event, tables) => {
    endAnomaly(
      tables,
      subject === 'episode' ? 'unknown-episode' : 'unknown-clip',
      subject,
      idOf(event.stream),
    )
    describe(tables, event, subject, data, { firstCuratedAt: data.firstCuratedAt })
  },
  Recurated: ({ curatedAt }, event, tables) =>
    changeCuration(tables, subject, idOf(event.stream), () => ({ curatedAt })),
  Amended: (data, event, tables) => describe(tables, event, subject, data, {}),
  Withdrawn: ({ at }, event, tables) => {
    const id = idOf(event.stream)
    const { mediaUri } = curationOf(tables, subject, id)
    changeCuration(tables, subject, id, () => ({ withdrawnAt: at }))
    moveMedia(tables, event, { subject, id, from: mediaUri, to: null, at })
    setState(tables, subject, id, 'withdrawn')
  },
  Prioritised: ({ priority }, event, tables) =>
    changeCuration(tables, subject, idOf(event.stream), ({ curatorPriority }) => ({
      personPriority: priority,
      priority: priority ?? curatorPriority ?? 0,
    })),
  Pinned: set(subject, { pinned: 1 }),
  Unpinned: set(subject, { pinned: 0 }),
  Excluded: set(subject, { excluded: 1 }),
  Included: set(subject, { excluded: 0 }),
})

const set =
  (subject: Subject, change: Partial<CurationRow>) =>
  (_: unknown, event: RecordedEvent, tables: ResearchTables): void =>
    changeCuration(tables, subject, idOf(event.stream), () => change)

const describe = (
  tables: ResearchTables,
  event: RecordedEvent,
  subject: Subject,
  data: Details & { readonly curatedAt: string; readonly at: string },
  first: Partial<CurationRow>,
): void => {
  const id = idOf(event.stream)
  const { mediaUri, withdrawnAt } = curationOf(tables, subject, id)
  changeCuration(tables, subject, id, ({ personPriority }) => ({
    title: data.title,
    description: data.description ?? null,
    mediaUri: data.mediaUri,
    mediaType: data.mediaType,
    foreign: data.foreign ? 1 : 0,
    curator: data.curator,
    priority: personPriority ?? data.priority,
    curatorPriority: data.priority,
    curatedAt: data.curatedAt,
    withdrawnAt: null,
    ...first,
  }))
  const from = withdrawnAt === null ? mediaUri : null
  moveMedia(tables, event, { subject, id, from, to: data.mediaUri, at: data.at })
  setState(tables, subject, id, 'live')
}

const setState = (tables: ResearchTables, subject: Subject, id: string, state: string): void => {
  if (subject === 'episode')
    tables['research-episode-results'].put({ ...episodeResultsOf(tables, id), state })
  else tables['research-clip-results'].put({ ...clipResultsOf(tables, id), state })
}
