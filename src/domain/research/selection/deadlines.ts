/** Something that time alone changes. */
export interface Timed {
  /** When it next does; undefined: never. */
  due(): string | undefined
  /** That time has come. Afterwards `due` is later than now, or never. */
  pass(now: string): void
  /** Its time in the heap, kept by `Deadlines`. */
  queued: string | undefined
}

interface Entry {
  readonly at: string
  readonly thing: Timed
}

/** A heap by time. An entry that moves to a later time is moved when it comes up: extending a lease costs nothing. */
export class Deadlines {
  #heap: Entry[] = []
  #afterSweep = 0

  /** Call it whenever `due` may have become earlier. */
  schedule(thing: Timed): void {
    const at = thing.due()
    if (at === undefined || (thing.queued !== undefined && thing.queued <= at)) return
    thing.queued = at
    if (this.#heap.length > 64 + 2 * this.#afterSweep) this.#sweep()
    this.#push({ at, thing })
  }

  /** Undefined: nothing will change any more. */
  next(): string | undefined {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      const { at, thing } = top
      if (at === thing.queued) {
        if (thing.due() === at) return at
        thing.queued = undefined
      }
      this.#pop()
      this.schedule(thing)
    }
    return undefined
  }

  advance(now: string): void {
    for (let next = this.next(); next !== undefined && next <= now; next = this.next()) {
      const { thing } = this.#pop()
      thing.queued = undefined
      thing.pass(now)
      this.schedule(thing)
    }
  }

  /** Drops entries without a due time: most leases end before their deadline. */
  #sweep(): void {
    const entries = this.#heap.filter(({ at, thing }) => at === thing.queued && thing.due() !== undefined)
    this.#heap = []
    for (const entry of entries) this.#push(entry)
    this.#afterSweep = entries.length
  }

  #push(entry: Entry): void {
    const heap = this.#heap
    let place = heap.push(entry) - 1
    while (place > 0) {
      const above = (place - 1) >> 1
      if (heap[above]!.at <= entry.at) break
      heap[place] = heap[above]!
      place = above
    }
    heap[place] = entry
  }

  #pop(): Entry {
    const heap = this.#heap
    const top = heap[0]!
    const last = heap.pop()!
    if (heap.length === 0) return top
    let place = 0
    for (;;) {
      let below = 2 * place + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && heap[below + 1]!.at < heap[below]!.at) below++
      if (heap[below]!.at >= last.at) break
      heap[place] = heap[below]!
      place = below
    }
    heap[place] = last
    return top
  }
}
