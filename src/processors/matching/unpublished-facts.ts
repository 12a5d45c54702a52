import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { Cause } from '../../domain/matching/graph/events.ts'
import type { Causation } from './resumable-write.ts'

/** Facts that are folded into the graph and in no change yet. */
export class UnpublishedFacts {
  /** By work: the last fact of each. */
  #causes = new Map<string, Cause>()
  /** The causation of the first of them. */
  #causation: Causation | undefined
  #count = 0

  get count(): number {
    return this.#count
  }

  add({ id, type, stream, revision, metadata }: RecordedEvent): void {
    const work = idOf(stream)
    this.#causes.set(work, { work, revision: Number(revision), type })
    this.#causation ??= { causationId: id, correlationId: metadata.correlationId }
    this.#count++
  }

  /** Takes all of them: none are left. */
  take(): { readonly causes: Map<string, Cause>; readonly causation: Causation | undefined } {
    const taken = { causes: this.#causes, causation: this.#causation }
    this.#causes = new Map()
    this.#causation = undefined
    this.#count = 0
    return taken
  }
}
