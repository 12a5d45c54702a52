import type { Deadlines, Timed } from './deadlines.ts'

/** The terms of a lease, with episode and clips as numbers. */
interface Terms {
  readonly id: string
  readonly episode: number
  readonly clips: readonly number[]
  readonly deadline: string
  readonly notAfter: string
}

class Lease implements Timed {
  queued: string | undefined
  readonly id: string
  readonly episode: number
  readonly clips: readonly number[]
  deadline: string
  notAfter: string
  /** Known to the assigner only: it is not written yet. */
  held: boolean
  /** No event reports that its item was taken, or lapsed. */
  offered = true
  /** It is active: its deadline has not passed. */
  live = false
  /** Counted in Q. */
  waiting = false
  readonly #book: OpenLeases

  constructor({ id, episode, clips, deadline, notAfter }: Terms, held: boolean, book: OpenLeases) {
    this.id = id
    this.episode = episode
    this.clips = clips
    this.deadline = deadline
    this.notAfter = notAfter
    this.held = held
    this.#book = book
  }

  due(): string | undefined {
    if (!this.live) return undefined
    return this.waiting && this.notAfter < this.deadline ? this.notAfter : this.deadline
  }

  pass(): void {
    this.#book.review(this)
  }
}

/** Effects of leases on pairs. */
interface LeasedPairs {
  close(episode: number, clips: readonly number[]): void
  /** Opens them, unless something else keeps them closed. */
  open(episode: number, clips: readonly number[]): void
}

/**
 * Leases without an event that ends them. One whose deadline has passed holds no pairs (L29). It is kept until its end
 * is written: a result that was accepted by another clock just in time may still extend it.
 */
export class OpenLeases {
  /** Q: items that can be taken (L2). */
  waiting = 0
  live = 0
  readonly #leases = new Map<string, Lease>()
  readonly #liveIn = new Map<number, Lease[]>()
  readonly #deadlines: Deadlines
  readonly #now: () => string
  readonly #pairs: LeasedPairs

  constructor(deadlines: Deadlines, now: () => string, pairs: LeasedPairs) {
    this.#deadlines = deadlines
    this.#now = now
    this.#pairs = pairs
  }

  all(): Iterable<Lease> {
    return this.#leases.values()
  }

  liveIn(episode: number): readonly Lease[] {
    return this.#liveIn.get(episode) ?? []
  }

  /** Adds a lease. One that was held becomes granted. */
  grant(terms: Terms, held = false): Lease {
    const known = this.#leases.get(terms.id)
    if (known && isSame(known, terms)) {
      known.held &&= held
      known.deadline = terms.deadline
      known.notAfter = terms.notAfter
      this.review(known)
      return known
    }
    if (known) this.#drop(known)
    const lease = new Lease(terms, held, this)
    this.#leases.set(lease.id, lease)
    this.review(lease)
    return lease
  }

  /** Restores a lease from a snapshot. */
  restore(terms: Terms, offered: boolean): void {
    const lease = new Lease(terms, false, this)
    lease.offered = offered
    this.#leases.set(lease.id, lease)
    this.review(lease)
  }

  /** Records that a lease's item was taken, or lapsed. */
  withdrawItem(id: string, episode: number): void {
    const lease = this.#find(id, episode)
    if (!lease) return
    lease.offered = false
    this.review(lease)
  }

  /** Deadlines never move back (F13). */
  extend(id: string, episode: number, deadline: string): void {
    const lease = this.#find(id, episode)
    if (!lease || deadline <= lease.deadline) return
    lease.deadline = deadline
    this.review(lease)
  }

  end(id: string, episode: number): void {
    const lease = this.#find(id, episode)
    if (lease) this.#drop(lease)
  }

  unhold(id: string): void {
    const lease = this.#leases.get(id)
    if (lease?.held) this.#drop(lease)
  }

  /** Updates the lease to the present time. */
  review(lease: Lease): void {
    const now = this.#now()
    this.#stand(lease, now < lease.deadline, lease.offered && now < lease.notAfter)
    this.#deadlines.schedule(lease)
  }

  /** A lease belongs to its episode: an id in another episode's event has no effect. */
  #find(id: string, episode: number): Lease | undefined {
    const lease = this.#leases.get(id)
    return lease?.episode === episode ? lease : undefined
  }

  #drop(lease: Lease): void {
    this.#leases.delete(lease.id)
    this.#stand(lease, false, false)
  }

  #stand(lease: Lease, live: boolean, takeable: boolean): void {
    const waiting = live && takeable
    this.waiting += Number(waiting) - Number(lease.waiting)
    lease.waiting = waiting
    if (lease.live === live) return
    lease.live = live
    this.live += live ? 1 : -1
    const { episode, clips } = lease
    const others = this.liveIn(episode)
    if (live) {
      this.#liveIn.set(episode, [...others, lease])
      this.#pairs.close(episode, clips)
    } else {
      const left = others.filter((other) => other !== lease)
      if (left.length > 0) this.#liveIn.set(episode, left)
      else this.#liveIn.delete(episode)
      this.#pairs.open(episode, clips)
    }
  }
}

const isSame = (lease: Lease, { episode, clips }: Terms): boolean =>
  lease.episode === episode &&
  lease.clips.length === clips.length &&
  lease.clips.every((clip, i) => clip === clips[i])
