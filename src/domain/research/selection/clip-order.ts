import type { Bits } from './bits.ts'
import { Ranking } from './ranking.ts'

/** One order of clips for all episodes: those that can be leased, and waiting ones, which may fill up an item. */
export class ClipOrder {
  readonly #ready: Ranking
  readonly #waiting: Ranking
  /** By episode: all ready clips before this place are closed there, in this edition of the order. */
  readonly #from: number[] = []
  readonly #fromEdition: number[] = []

  constructor(compare: (one: number, other: number) => number) {
    this.#ready = new Ranking(compare)
    this.#waiting = new Ranking(compare)
  }

  /** Also when its rank has changed. */
  put(clip: number, as: 'ready' | 'waiting' | 'out'): void {
    if (as === 'ready') this.#ready.put(clip)
    else this.#ready.delete(clip)
    if (as === 'waiting') this.#waiting.put(clip)
    else this.#waiting.delete(clip)
  }

  ready(): Int32Array {
    return this.#ready.list()
  }

  waiting(): Int32Array {
    return this.#waiting.list()
  }

  isWaiting(clip: number): boolean {
    return this.#waiting.has(clip)
  }

  addEpisode(): void {
    this.#from.push(0)
    this.#fromEdition.push(-1)
  }

  /** A closed pair of the episode is open again. */
  opened(episode: number): void {
    this.#fromEdition[episode] = -1
  }

  /** The first clips that are open in the episode (L18 to L22), `open` of them ready; waiting ones fill up the item. */
  pick(episode: number, closed: Bits, open: number, max: number): number[] {
    const picked: number[] = []
    const ready = this.#ready.list()
    const { edition } = this.#ready
    const wanted = Math.min(open, max)
    let place = this.#fromEdition[episode] === edition ? this.#from[episode]! : 0
    for (; picked.length < wanted && place < ready.length; place++) {
      const clip = ready[place]!
      if (closed.has(clip)) continue
      if (picked.length === 0) {
        this.#from[episode] = place
        this.#fromEdition[episode] = edition
      }
      picked.push(clip)
    }
    if (this.#waiting.size > 0)
      for (const clip of this.#waiting.list()) {
        if (picked.length >= max) break
        if (!closed.has(clip)) picked.push(clip)
      }
    return picked
  }
}
