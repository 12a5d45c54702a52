import { isLeft } from 'fp-ts/lib/Either.js'
import { idOf, type RecordedEvent } from '#src/domain/kernel/event.ts'
import { type EpisodeEvent, episodeEvents, type LeaseEffect } from '#src/domain/research/episode/events.ts'
import { engineKey } from '#src/domain/research/terms.ts'

interface AuditedLease {
  readonly episode: string
  readonly clips: readonly string[]
  deadline: string
  over: boolean
}

export interface Audit {
  /** Sentences: what must never be. */
  readonly wrong: readonly string[]
  /** `episode clip`. */
  readonly done: ReadonlySet<string>
  /** Messages that led to a result. */
  readonly results: readonly string[]
}

export const pairOf = (episode: string, clip: string): string => `${episode} ${clip}`

/** What the log says of leases and results, as somebody reads it who knows the seed and none of the code. */
export const audit = (events: readonly RecordedEvent[]): Audit => {
  const wrong: string[] = []
  const leases = new Map<string, AuditedLease>()
  const done = new Map<string, string>()
  const results: string[] = []

  const end = (id: string) => {
    const lease = leases.get(id)
    if (!lease || lease.over) wrong.push(`${id} ended twice, or before it began`)
    else lease.over = true
  }
  const extend = (id: string, deadline: string) => {
    const lease = leases.get(id)
    if (!lease || lease.over) return wrong.push(`${id} was revived`)
    if (deadline < lease.deadline) wrong.push(`the deadline of ${id} moved back`)
    lease.deadline = deadline
  }
  const take = (episode: string, id: string | undefined, effect: LeaseEffect) => {
    if (effect.kind === 'revoked') end(id!)
    if (effect.kind === 'extended') extend(id!, effect.deadline)
    const named = id === undefined ? undefined : leases.get(id)
    // An id is one of its episode.
    if (effect.kind === 'none' && named?.episode === episode && !named.over)
      wrong.push(`${id} is open, and had no effect of its result`)
  }
  const grant = (episode: string, data: Extract<EpisodeEvent, { type: 'LeaseGranted' }>['data']) => {
    for (const clip of data.clips) {
      for (const [id, other] of leases)
        if (!other.over && other.episode === episode && other.clips.includes(clip))
          wrong.push(`${pairOf(episode, clip)} is in ${id} and in ${data.lease}`)
      if (done.has(pairOf(episode, clip))) wrong.push(`${pairOf(episode, clip)} is done, and was leased`)
    }
    if (data.notAfter >= data.deadline) wrong.push(`the item of ${data.lease} outlives it`)
    leases.set(data.lease, { episode, clips: data.clips, deadline: data.deadline, over: false })
  }

  for (const event of events) {
    const read = episodeEvents.read(event)
    if (isLeft(read)) throw new Error(read.left)
    const episode = idOf(event.stream)
    const { type, data } = read.right
    switch (type) {
      case 'LeaseGranted':
        grant(episode, data)
        break
      case 'LeaseExpired':
      case 'LeaseReleased':
      case 'LeaseRevoked':
        end(data.lease)
        break
      case 'LeaseExtended':
        extend(data.lease, data.deadline)
        break
      case 'ResearchFailed':
        take(episode, data.lease, data.effect)
        break
      case 'ClipResearched': {
        const pair = pairOf(episode, data.clip)
        if (data.repeat !== done.has(pair)) wrong.push(`${pair} does not count once`)
        if (!data.repeat) done.set(pair, engineKey(data.engine))
        results.push(event.metadata.causationId)
        take(episode, data.lease, data.effect)
        break
      }
      case 'Reopened':
        for (const [pair, engine] of done) {
          const clip = pair.slice(episode.length + 1)
          const isMeant =
            pair === pairOf(episode, clip) &&
            (data.engines?.includes(engine) ?? true) &&
            (data.clips?.includes(clip) ?? true)
          if (isMeant) done.delete(pair)
        }
        break
    }
  }
  return { wrong, done: new Set(done.keys()), results }
}
