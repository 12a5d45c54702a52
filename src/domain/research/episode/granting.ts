import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import { isActive } from '../../kernel/lease.ts'
import { addMillis, SECOND } from '../../kernel/time.ts'
import { hasClip, noClips, overlap, withClips } from '../clip-set.ts'
import { neverCurated } from '../curating.ts'
import type { Grant } from './commands.ts'
import type { EpisodeEvent } from './events.ts'
import { expiredByTime } from './lease-effect.ts'
import { standingOf } from './leases.ts'
import { type Decision, type EpisodeRejection, reject } from './rejections.ts'
import { type EpisodeState, evolve, isResearched } from './state.ts'

type LeaseGranted = Extract<EpisodeEvent, { readonly type: 'LeaseGranted' }>

/**
 * Grants all leases or none: the clips of each are neither researched nor leased, also not by a lease before it (F1, F2).
 * One that was granted already is left as it is. Leases whose deadline has passed expire first, since the grant depends on
 * that; where that parks the episode, nothing is granted.
 */
export const grant = (command: Grant, state: EpisodeState): Decision => {
  const { curation } = state
  if (!curation) return neverCurated('episode')
  if (curation.withdrawn)
    return reject('withdrawn', 'this episode was withdrawn; it is handed out once a curator sees it again')
  if (curation.excluded)
    return reject('excluded', 'this episode is excluded; include it to have it handed out')
  const { events: passed, state: after } = expirePassed(state, command.at)
  if (passed.some((event) => parks(event, command.policy))) return right(passed)
  const granted: LeaseGranted[] = []
  let now = after
  for (const { lease, clips } of command.leases) {
    if (standingOf(now.leases, lease, command.at).kind !== 'unknown') continue
    const checked = free(lease, clips, now)
    if (isLeft(checked)) return checked
    const event = leaseGranted(command, lease, clips, now.lastFence + 1)
    granted.push(event)
    now = evolve(now, event)
  }
  if (granted.length === 0) return right([])
  const result = { granted: granted.map(({ data }) => data.lease) }
  return right({ events: [...passed, ...granted], result })
}

/** One after the other: whether one counts as silent depends on those before it. */
const expirePassed = (before: EpisodeState, at: string) => {
  const events: EpisodeEvent[] = []
  let state = before
  for (const [id, lease] of before.leases.open) {
    if (isActive(lease, at)) continue
    const event = expiredByTime(state.leases, id, lease, at)
    events.push(event)
    state = evolve(state, event)
  }
  return { events, state }
}

/** The assigner chose this episode before it could know. */
const parks = ({ type, data }: EpisodeEvent, { attempts }: Grant['policy']): boolean =>
  type === 'LeaseExpired' && (data.silent ?? 0) >= attempts

/** In a state whose open leases are all active. */
const free = (
  lease: string,
  clips: readonly string[],
  state: EpisodeState,
): Either<EpisodeRejection, void> => {
  if (clips.length === 0)
    return reject('no-clips', `lease ${lease} names no clip; choose at least one`, { lease })
  const wanted = withClips(noClips, clips)
  const others = [...state.leases.open].filter(([, other]) => overlap(other.clips, wanted))
  const done = [...state.researched.values()].some((one) => overlap(one.clips, wanted))
  // Clip by clip only where there is something to say: mostly there is not.
  if (others.length === 0 && !done && new Set(clips).size === clips.length) return right(undefined)
  const seen = new Set<string>()
  for (const clip of clips) {
    if (seen.has(clip)) return taken(clip, 'twice', `clip ${clip} is listed twice in lease ${lease}`)
    if (isResearched(state, clip))
      return taken(clip, 'researched', `clip ${clip} is researched in this episode already`)
    for (const [id, other] of others)
      if (hasClip(other.clips, clip))
        return taken(clip, 'leased', `clip ${clip} is leased in this episode until ${other.deadline}`, {
          lease: id,
          until: other.deadline,
        })
    seen.add(clip)
  }
  return right(undefined)
}

const taken = (
  clip: string,
  because: 'twice' | 'researched' | 'leased',
  why: string,
  details: Readonly<Record<string, string>> = {},
): Either<EpisodeRejection, never> =>
  reject('pair-taken', `${why}; choose other clips`, { clip, because, ...details })

/** The item has its own end, before that of the lease (L27): an instant, so that a late sender cannot move it (F4). */
const leaseGranted = (
  { policy, at }: Grant,
  lease: string,
  clips: readonly string[],
  fence: number,
): LeaseGranted => {
  const { version, leaseSeconds, itemSeconds, longestLeaseSeconds } = policy
  return {
    type: 'LeaseGranted',
    data: {
      lease,
      fence,
      clips: [...clips],
      deadline: addMillis(at, leaseSeconds * SECOND),
      notAfter: addMillis(at, itemSeconds * SECOND),
      leaseSeconds,
      policy: version,
      at,
      ...(longestLeaseSeconds !== undefined && { endsBy: addMillis(at, longestLeaseSeconds * SECOND) }),
    },
  }
}
