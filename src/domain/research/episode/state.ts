import { earlier } from '../../kernel/time.ts'
import { type ClipSet, hasClip, isEmpty, noClips, withClips, withoutClips } from '../clip-set.ts'
import { type Curated, evolveCuration } from '../curating.ts'
import { type Failures, failuresOf, noFailures } from '../failing.ts'
import { engineKey, type Verdict } from '../terms.ts'
import type { EpisodeEvent, LeaseEffect } from './events.ts'
import { type FailingPairs, pairDone, pairFailed } from './failing-pairs.ts'
import { changed, closed, extended, type Leases, noLeases, opened } from './leases.ts'

/** Clips researched by one engine. */
export interface Done {
  readonly clips: ClipSet
  /** Intake of its first result. */
  readonly since: string
}

/** An episode, as deciding needs it: a bit a clip, whatever the number of results. */
export interface EpisodeState {
  readonly curation: Curated
  readonly leases: Leases
  /** Highest fence ever granted; 0 = none. */
  readonly lastFence: number
  /** By `engineKey` of the result that counts. */
  readonly researched: ReadonlyMap<string, Done>
  readonly failures: Failures
  readonly failing: FailingPairs
  /** By `placeKey`. */
  readonly judged: ReadonlyMap<string, Verdict>
}

/** A clip at a place. */
export const placeKey = (clip: string, offset: number): string => `${offset} ${clip}`

export const initial: EpisodeState = {
  curation: undefined,
  leases: noLeases,
  lastFence: 0,
  researched: new Map(),
  failures: noFailures,
  failing: [],
  judged: new Map(),
}

export const isResearched = ({ researched }: EpisodeState, clip: string): boolean => {
  for (const { clips } of researched.values()) if (hasClip(clips, clip)) return true
  return false
}

export const evolve = (state: EpisodeState, event: EpisodeEvent): EpisodeState => {
  switch (event.type) {
    case 'LeaseGranted':
      return granted(state, event.data)
    case 'WorkItemTaken':
      return { ...state, leases: changed(state.leases, event.data.lease, { holder: event.data.researcher }) }
    case 'WorkItemLapsed':
      return { ...state, leases: changed(state.leases, event.data.lease, { lapsed: true }) }
    case 'LeaseExtended':
      return { ...state, leases: extended(state.leases, event.data.lease, event.data.deadline) }
    case 'LeaseExpired':
      return { ...state, leases: expired(state.leases, event.data) }
    case 'LeaseReleased':
      return { ...state, leases: { ...closed(state.leases, event.data.lease, 'ended'), silent: 0 } }
    case 'LeaseRevoked':
      return { ...state, leases: closed(state.leases, event.data.lease, 'ended') }
    case 'ClipResearched':
      return researched(state, event.data)
    case 'ResearchFailed':
      return failed(state, event.data)
    case 'Retried':
      return { ...state, leases: { ...state.leases, silent: 0 }, failures: noFailures, failing: [] }
    case 'FindingJudged': {
      const { clip, offset, verdict } = event.data
      return { ...state, judged: new Map(state.judged).set(placeKey(clip, offset), verdict) }
    }
    case 'Reopened':
      return { ...state, researched: reopened(state.researched, event.data) }
    default:
      return { ...state, curation: evolveCuration(state.curation, event) }
  }
}

type Data<Type extends EpisodeEvent['type']> = Extract<EpisodeEvent, { type: Type }>['data']

const granted = (state: EpisodeState, data: Data<'LeaseGranted'>): EpisodeState => {
  const { lease, fence, clips, deadline, notAfter, leaseSeconds, endsBy } = data
  return {
    ...state,
    lastFence: fence,
    leases: opened(state.leases, lease, {
      fence,
      clips: withClips(noClips, clips),
      deadline,
      notAfter,
      lapsed: false,
      leaseSeconds,
      ...(endsBy !== undefined && { endsBy }),
    }),
  }
}

const expired = (leases: Leases, { lease, silent, at }: Data<'LeaseExpired'>): Leases => ({
  ...closed(leases, lease, 'expired'),
  ...(silent !== undefined && { silent, silentAt: at }),
})

const researched = (state: EpisodeState, data: Data<'ClipResearched'>): EpisodeState => {
  const { clip, engine, lease, effect, repeat, at } = data
  return {
    ...state,
    leases: afterReport(state.leases, lease, effect),
    researched: repeat ? state.researched : withResult(state.researched, engineKey(engine), clip, at),
    failures: noFailures,
    failing: pairDone(state.failing, clip),
  }
}

const withResult = (results: EpisodeState['researched'], engine: string, clip: string, at: string) => {
  const { clips, since } = results.get(engine) ?? { clips: noClips, since: at }
  return new Map(results).set(engine, { clips: withClips(clips, [clip]), since: earlier(since, at) })
}

const failed = (state: EpisodeState, data: Data<'ResearchFailed'>): EpisodeState => {
  const { subject, clip, lease, effect, attempt, retryAt } = data
  const leases = afterReport(state.leases, lease, effect)
  if (attempt === undefined) return { ...state, leases }
  return subject === 'pair' && clip !== undefined
    ? { ...state, leases, failing: pairFailed(state.failing, clip) }
    : { ...state, leases, failures: failuresOf({ attempt, retryAt }) }
}

/** A report on the episode ends the row of silent leases. */
const afterReport = (leases: Leases, lease: string | undefined, effect: LeaseEffect): Leases => ({
  ...affected(leases, lease, effect),
  silent: 0,
})

const affected = (leases: Leases, lease: string | undefined, effect: LeaseEffect): Leases => {
  if (lease === undefined || effect.kind === 'none') return leases
  return effect.kind === 'revoked' ? closed(leases, lease, 'ended') : extended(leases, lease, effect.deadline)
}

const reopened = (results: EpisodeState['researched'], { engines, clips }: Data<'Reopened'>) => {
  const left = new Map<string, Done>()
  for (const [engine, done] of results) {
    const meant = engines === undefined || engines.includes(engine)
    const kept = !meant ? done.clips : clips === undefined ? noClips : withoutClips(done.clips, clips)
    if (!isEmpty(kept)) left.set(engine, { ...done, clips: kept })
  }
  return left
}
