import { MinimumTree } from './minimum-tree.ts'
import { Ranking } from './ranking.ts'

/** Curated episodes, the most valuable first, under a tree of minimal closed pairs: the first with an open pair is one descent. */
export class EpisodeOrder {
  readonly #ranking: Ranking
  readonly #tree = new MinimumTree()
  #built = -1
  readonly #closedIn: (episode: number) => number

  /** `closedIn`: closed pairs of an episode, `never` where it cannot be leased. */
  constructor(compare: (one: number, other: number) => number, closedIn: (episode: number) => number) {
    this.#ranking = new Ranking(compare)
    this.#closedIn = closedIn
  }

  /** Puts it where it belongs, also when that has changed. */
  put(episode: number): void {
    this.#ranking.put(episode)
  }

  reorder(): void {
    this.#ranking.reorder()
  }

  changed(episode: number): void {
    const place = this.#ranking.placeOf(episode)
    if (this.#built === this.#ranking.edition && place !== -1) this.#tree.set(place, this.#closedIn(episode))
  }

  allChanged(): void {
    this.#built = -1
  }

  /** The first with fewer closed pairs than `clips`. */
  first(clips: number): number | undefined {
    const list = this.#ordered()
    return list[this.#tree.firstBelow(clips)]
  }

  /** How many episodes with an open pair go before it. */
  before(episode: number, clips: number): number {
    this.#ordered()
    let places = 0
    for (let place = this.#ranking.placeOf(episode) - 1; place >= 0; place--)
      if (this.#tree.at(place) < clips) places++
    return places
  }

  #ordered(): Int32Array {
    const list = this.#ranking.list()
    if (this.#built !== this.#ranking.edition) {
      this.#tree.build(list.map(this.#closedIn))
      this.#built = this.#ranking.edition
    }
    return list
  }
}
