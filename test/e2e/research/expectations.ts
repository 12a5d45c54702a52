import { isLeft } from 'fp-ts/lib/Either.js'
import { expect } from 'vitest'
import { categoryOf, idOf, type RecordedEvent } from '../../../src/domain/kernel/event.ts'
import { type EpisodeEvent, episodeEvents } from '../../../src/domain/research/episode/events.ts'
import { episodeCategory } from '../../../src/domain/research/terms.ts'

/*
 * What must hold of leases and results, read from the log alone: whatever was killed, no pair is under two leases, no deadline
 * moves back, nothing that ended revives, and each pair is researched once.
 */

type Granted = Extract<EpisodeEvent, { type: 'LeaseGranted' }>['data']

/** One lease, as its stream tells it. */
export interface Life {
  readonly episode: string
  readonly granted: Granted
  holder?: string
  deadline: string
  ended?: 'final' | 'failed' | 'released' | 'revoked' | 'expired'
  /** Clips reported under it, in their order, also after it had ended. */
  readonly results: string[]
}

export interface Lives {
  readonly leases: ReadonlyMap<string, Life>
  /** The first result of each pair, `<episode>/<clip>`: the one that counts. */
  readonly researched: ReadonlyMap<string, Extract<EpisodeEvent, { type: 'ClipResearched' }>['data']>
  /** Results of pairs that were done, and results that no lease took notice of. */
  readonly repeats: number
  readonly late: number
}

export const pairName = (episode: string, clip: string): string => `${episode}/${clip}`

/** Throws where the log breaks a rule, and names the event. */
export const livesOf = (events: readonly RecordedEvent[]): Lives => {
  const leases = new Map<string, Life>()
  const researched = new Map<string, Extract<EpisodeEvent, { type: 'ClipResearched' }>['data']>()
  const fences = new Map<string, number>()
  let [repeats, late] = [0, 0]

  for (const recorded of events) {
    if (categoryOf(recorded.stream) !== episodeCategory) continue
    const read = episodeEvents.read(recorded)
    if (isLeft(read)) throw new Error(`${recorded.stream}: ${read.left}`)
    const { type, data } = read.right
    const episode = idOf(recorded.stream)
    const must = (holds: unknown, rule: string) => {
      if (!holds)
        throw new Error(`${rule}: ${recorded.stream}@${recorded.revision} ${JSON.stringify(read.right)}`)
    }
    const open = () => [...leases.values()].filter((life) => life.episode === episode && !life.ended)
    const alive = (lease: string): Life => {
      const life = leases.get(lease)
      must(life?.episode === episode && !life.ended, 'nothing happens to a lease that ended or never was')
      return life!
    }
    const running = (lease: string, at: string): Life => {
      const life = alive(lease)
      must(at < life.deadline, 'L29: a lease whose deadline has passed is not active')
      return life
    }
    const extend = (life: Life, deadline: string, at: string) => {
      must(at < life.deadline, 'L37: an expired lease is not extended')
      must(deadline >= life.deadline, 'F13: a deadline never moves back')
      life.deadline = deadline
    }
    const effect = (said: Extract<EpisodeEvent, { type: 'ClipResearched' | 'ResearchFailed' }>['data']) => {
      const { lease, effect, at } = said
      const life = lease === undefined ? undefined : leases.get(lease)
      if (effect.kind === 'extended') extend(alive(lease!), effect.deadline, at)
      else if (effect.kind === 'revoked') running(lease!, at).ended = 'subject' in said ? 'failed' : 'final'
      else {
        late++
        const why = !lease ? 'no-lease' : !life ? 'unknown' : life.ended === 'expired' ? 'expired' : 'ended'
        must(effect.because === why && (!life || life.ended), 'L37: only what is not active has no effect')
      }
      return life
    }

    switch (type) {
      case 'LeaseGranted': {
        must(!leases.has(data.lease), 'a lease is granted once')
        must(data.fence > (fences.get(episode) ?? 0), 'fences grow')
        must(data.notAfter < data.deadline, 'L27: an item ends before its lease')
        for (const clip of data.clips) {
          must(!researched.has(pairName(episode, clip)), 'L19: what is researched is not leased')
          must(
            !open().some(({ granted }) => granted.clips.includes(clip)),
            'F2: no pair under two active leases',
          )
        }
        fences.set(episode, data.fence)
        leases.set(data.lease, { episode, granted: data, deadline: data.deadline, results: [] })
        break
      }
      case 'WorkItemTaken': {
        const life = running(data.lease, data.at)
        must(life.holder === undefined, 'an item is taken once')
        life.holder = data.researcher
        break
      }
      case 'WorkItemLapsed':
        must(data.at >= alive(data.lease).granted.notAfter, 'an item lapses when its time is over')
        break
      case 'LeaseExtended':
        extend(alive(data.lease), data.deadline, data.at)
        break
      case 'LeaseExpired':
        must(data.at >= alive(data.lease).deadline, 'a lease expires when its time is over')
        alive(data.lease).ended = 'expired'
        break
      case 'LeaseReleased':
        running(data.lease, data.at).ended = 'released'
        break
      case 'LeaseRevoked':
        running(data.lease, data.at).ended = 'revoked'
        break
      case 'ResearchFailed':
        effect(data)
        break
      case 'ClipResearched': {
        const pair = pairName(episode, data.clip)
        must(
          data.repeat === researched.has(pair),
          'F11: the first result of a pair counts, others are repeats',
        )
        effect(data)?.results.push(data.clip)
        if (data.repeat) repeats++
        else researched.set(pair, data)
        break
      }
      default:
    }
  }
  return { leases, researched, repeats, late }
}

/** Every pair was researched, none that nobody asked for. */
export const expectAllResearched = (
  { researched }: Lives,
  episodes: readonly string[],
  clips: readonly string[],
): void => {
  const wanted = episodes.flatMap((episode) => clips.map((clip) => pairName(episode, clip)))
  expect([...researched.keys()].sort()).toEqual(wanted.sort())
}
