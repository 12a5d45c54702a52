import type { CurationEvent } from '../curating.ts'
import { defaultPolicy, type Policy } from '../policy/policy.ts'
import { Bits } from './bits.ts'
import { ClipOrder } from './clip-order.ts'
import { Deadlines } from './deadlines.ts'
import { EpisodeOrder } from './episode-order.ts'
import { Failure } from './failure.ts'
import { never } from './minimum-tree.ts'
import { OpenLeases } from './open-leases.ts'
import { Pairs } from './pairs.ts'
import { Presence } from './presence.ts'
import { before, Standing, Standings, whyIneligible } from './standing.ts'
import { WaitingClips } from './waiting-clips.ts'

/** The parts of the scheduler state, and what a change in one means to the others. Episodes and clips are numbers here. */
export class SchedulerModel {
  now = ''
  paused = false
  version = 0
  policy: Policy = defaultPolicy
  readonly pinnedCurators = new Set<string>()
  readonly excludedCurators = new Set<string>()
  readonly episodes = new Standings()
  readonly clips = new Standings()
  readonly deadlines = new Deadlines()
  readonly clipOrder = new ClipOrder((a, b) =>
    before(this.clips.at(a), this.clips.at(b), this.pinnedCurators),
  )
  readonly episodeOrder = new EpisodeOrder(
    (a, b) => before(this.episodes.at(a), this.episodes.at(b), this.pinnedCurators, this.policy.agingSeconds),
    (episode) => (this.#barred[episode] ? never : this.pairs.closedCount(episode)),
  )
  readonly pairs = new Pairs(
    (episode) => this.episodeOrder.changed(episode),
    () => this.episodeOrder.allChanged(),
  )
  readonly leases = new OpenLeases(this.deadlines, () => this.now, {
    close: (episode, clips) => this.pairs.close(episode, clips),
    open: (episode, clips) => this.openUnlessKept(episode, clips),
  })
  readonly presence = new Presence(this.deadlines, () => this.now)
  readonly waiting = new WaitingClips(
    () => this.policy,
    (clips) => this.reviewClips(clips),
  )
  /** By episode and clip. */
  readonly pairFailures = new Map<number, Map<number, Failure>>()
  /** By episode: true where it cannot be leased, whatever is open in it. */
  readonly #barred: boolean[] = []

  setPolicy(version: number, policy: Policy, at: string): void {
    // Clips that have waited long enough by the old settings are released by them.
    this.waiting.pass(at)
    const { agingSeconds } = this.policy
    this.policy = policy
    this.version = version
    if (agingSeconds !== policy.agingSeconds) this.episodeOrder.reorder()
    this.waiting.pass(at)
    this.reviewWaiting()
  }

  episode(id: string): number {
    return this.episodes.find(id) ?? this.addEpisode(new Standing(id))
  }

  addEpisode(standing: Standing): number {
    this.pairs.addEpisode()
    this.clipOrder.addEpisode()
    this.#barred.push(true)
    return this.episodes.add(standing)
  }

  clip(id: string): number {
    return this.clips.number(id)
  }

  curateEpisode(episode: number, event: CurationEvent): void {
    const standing = this.episodes.at(episode)
    if (!standing.fold(event)) return
    if (standing.curator !== undefined) this.episodeOrder.put(episode)
    this.reviewEpisode(episode)
  }

  curateClip(clip: number, event: CurationEvent): void {
    if (!this.clips.at(clip).fold(event)) return
    if (event.type === 'Curated') this.waiting.add(clip, event.data.at)
    this.reviewClips([clip])
    this.reviewWaiting()
  }

  reviewEpisode(episode: number): void {
    this.#barred[episode] = whyIneligible(this.episodes.at(episode), this.excludedCurators).length > 0
    this.episodeOrder.changed(episode)
  }

  reviewClips(clips: readonly number[]): void {
    const ready: number[] = []
    const rest: number[] = []
    for (const clip of clips) {
      const free = whyIneligible(this.clips.at(clip), this.excludedCurators).length === 0
      const place = !free ? 'out' : this.waiting.clips.has(clip) ? 'waiting' : 'ready'
      this.clipOrder.put(clip, place)
      ;(place === 'ready' ? ready : rest).push(clip)
    }
    this.pairs.count(ready, true)
    this.pairs.count(rest, false)
  }

  /** Its clips, or what they wait for, have changed. */
  reviewWaiting(): void {
    this.waiting.pass(this.now)
    this.deadlines.schedule(this.waiting)
  }

  /** All that a curator brought, whose pin or exclusion has changed. */
  reviewCurator(curator: string): void {
    const brought = (standings: readonly Standing[]): number[] =>
      [...standings.keys()].filter((number) => standings[number]!.curator === curator)
    for (const episode of brought(this.episodes.all)) {
      this.episodeOrder.put(episode)
      this.reviewEpisode(episode)
    }
    this.reviewClips(brought(this.clips.all))
  }

  failEpisode(episode: number, retryAt: string | undefined): void {
    this.#fail(this.episodes.at(episode), retryAt, () => this.reviewEpisode(episode))
  }

  forgetEpisodeFailure(episode: number): void {
    this.#forgive(this.episodes.at(episode), () => this.reviewEpisode(episode))
  }

  setUnheard(episode: number, unheard: boolean): void {
    const standing = this.episodes.at(episode)
    if (standing.unheard === unheard) return
    standing.unheard = unheard
    this.reviewEpisode(episode)
  }

  failClip(clip: number, retryAt: string | undefined): void {
    this.#fail(this.clips.at(clip), retryAt, () => this.reviewClips([clip]))
  }

  forgetClipFailure(clip: number): void {
    this.#forgive(this.clips.at(clip), () => this.reviewClips([clip]))
  }

  failPair(episode: number, clip: number, retryAt: string | undefined): void {
    this.forgetPairFailure(episode, clip)
    const failure = this.#failure(retryAt, () => this.forgetPairFailure(episode, clip))
    if (!failure) return
    const failures = this.pairFailures.get(episode)
    if (failures) failures.set(clip, failure)
    else this.pairFailures.set(episode, new Map([[clip, failure]]))
    this.pairs.close(episode, [clip])
  }

  forgetPairFailure(episode: number, clip: number): void {
    const failures = this.pairFailures.get(episode)
    const failure = failures?.get(clip)
    if (!failures || !failure) return
    failure.forget()
    failures.delete(clip)
    if (failures.size === 0) this.pairFailures.delete(episode)
    this.openUnlessKept(episode, [clip])
  }

  forgetPairFailures(episode: number): void {
    for (const clip of [...(this.pairFailures.get(episode)?.keys() ?? [])])
      this.forgetPairFailure(episode, clip)
  }

  /** A pair stays closed while a result, a lease or a failure keeps it so. */
  openUnlessKept(episode: number, clips: readonly number[]): void {
    const leased = new Bits()
    for (const lease of this.leases.liveIn(episode)) for (const clip of lease.clips) leased.add(clip)
    const failures = this.pairFailures.get(episode)
    const isKept = (clip: number): boolean =>
      leased.has(clip) || (failures?.has(clip) ?? false) || this.pairs.isDone(episode, clip)
    this.pairs.open(
      episode,
      clips.filter((clip) => !isKept(clip)),
    )
    this.clipOrder.opened(episode)
  }

  #fail(standing: Standing, retryAt: string | undefined, review: () => void): void {
    standing.failure?.forget()
    standing.failure = this.#failure(retryAt, () => this.#forgive(standing, review))
    review()
  }

  #forgive(standing: Standing, review: () => void): void {
    if (!standing.failure) return
    standing.failure.forget()
    standing.failure = undefined
    review()
  }

  /** Undefined where its time has passed already. */
  #failure(retryAt: string | undefined, over: () => void): Failure | undefined {
    if (retryAt !== undefined && retryAt <= this.now) return undefined
    const failure = new Failure(retryAt, over)
    this.deadlines.schedule(failure)
    return failure
  }
}
