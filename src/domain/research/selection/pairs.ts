import { Bits } from './bits.ts'

/**
 * Two bits a pair: done, and closed (done, leased or backing off). Clips that can be leased are counted, and so are those
 * of them that are closed in each episode. A new clip thus opens in all episodes by one addition: no episode is written.
 */
export class Pairs {
  /** C: clips that can be leased. */
  counted = 0
  /** Pairs done, of whatever clips. */
  researched = 0
  /** By engine, then by episode: a pair is in one of them at most. */
  readonly done = new Map<string, Bits[]>()
  readonly #closed: Bits[] = []
  /** u(e): of counted clips. */
  readonly #closedCounted: number[] = []
  readonly #inside = new Bits()
  /** Clips that were ever closed in an episode. */
  readonly #touched = new Bits()
  readonly #changed: (episode: number) => void
  readonly #allChanged: () => void

  /** `changed` is called with each episode whose number of closed pairs changes. */
  constructor(changed: (episode: number) => void, allChanged: () => void) {
    this.#changed = changed
    this.#allChanged = allChanged
  }

  /** The next episode. */
  addEpisode(): void {
    this.#closed.push(new Bits())
    this.#closedCounted.push(0)
  }

  closedOf(episode: number): Bits {
    return this.#closed[episode]!
  }

  closedCount(episode: number): number {
    return this.#closedCounted[episode]!
  }

  counts(clip: number): boolean {
    return this.#inside.has(clip)
  }

  isDone(episode: number, clip: number): boolean {
    for (const rows of this.done.values()) if (rows[episode]?.has(clip)) return true
    return false
  }

  /** The first result counts; a later one of another engine changes nothing (F14). */
  finish(episode: number, clip: number, engine: string): void {
    if (this.isDone(episode, clip)) return
    this.#row(engine, episode).add(clip)
    this.researched++
    this.close(episode, [clip])
  }

  /** Reopens done pairs and returns them. Leases and failures may keep them closed. */
  reopen(
    episode: number,
    engines: readonly string[] | undefined,
    clips: readonly number[] | undefined,
  ): number[] {
    const reopened: number[] = []
    for (const engine of engines ?? this.done.keys()) {
      const row = this.done.get(engine)?.[episode]
      if (row) for (const clip of clips ?? [...row]) if (row.delete(clip)) reopened.push(clip)
    }
    this.researched -= reopened.length
    return reopened
  }

  close(episode: number, clips: readonly number[]): void {
    const closed = this.#closed[episode]!
    let more = 0
    for (const clip of clips)
      if (closed.add(clip)) {
        this.#touched.add(clip)
        if (this.#inside.has(clip)) more++
      }
    this.#add(episode, more)
  }

  open(episode: number, clips: readonly number[]): void {
    const closed = this.#closed[episode]!
    let less = 0
    for (const clip of clips) if (closed.delete(clip) && this.#inside.has(clip)) less++
    this.#add(episode, -less)
  }

  /** Clips that can be leased from now on, or no more. One that was never closed costs one bit. */
  count(clips: readonly number[], inside: boolean): void {
    const moved = clips.filter((clip) => (inside ? this.#inside.add(clip) : this.#inside.delete(clip)))
    const step = inside ? 1 : -1
    this.counted += step * moved.length
    const touched = moved.filter((clip) => this.#touched.has(clip))
    if (touched.length > 0)
      for (const [episode, closed] of this.#closed.entries())
        this.#closedCounted[episode] =
          touched.length > closed.words.length
            ? closed.common(this.#inside)
            : touched.reduce(
                (sum, clip) => sum + step * Number(closed.has(clip)),
                this.#closedCounted[episode]!,
              )
    if (touched.length > 0) this.#allChanged()
  }

  /** From a snapshot, while no clip is counted yet. */
  restore(engine: string, episode: number, words: Uint32Array<ArrayBuffer>): void {
    const row = this.#row(engine, episode)
    row.words = words
    this.researched += row.count()
    this.#closed[episode]!.addAll(words)
    this.#touched.addAll(words)
  }

  #add(episode: number, closed: number): void {
    if (closed === 0) return
    this.#closedCounted[episode]! += closed
    this.#changed(episode)
  }

  #row(engine: string, episode: number): Bits {
    const rows = this.done.get(engine) ?? []
    if (rows.length === 0) this.done.set(engine, rows)
    while (rows.length <= episode) rows.push(new Bits())
    return rows[episode]!
  }
}
