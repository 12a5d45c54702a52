import * as t from 'io-ts'
import { Time } from '../../kernel/codecs.ts'
import type { ResearcherEvent } from '../researcher/events.ts'
import type { Deadlines, Timed } from './deadlines.ts'

class Researcher implements Timed {
  queued: string | undefined
  /** Undefined: it has left. */
  presentUntil: string | undefined
  draining = false
  blocked = false
  counted = false
  readonly #review: (researcher: Researcher) => void

  constructor(review: (researcher: Researcher) => void) {
    this.#review = review
  }

  due(): string | undefined {
    return this.counted ? this.presentUntil : undefined
  }

  pass(): void {
    this.#review(this)
  }
}

export const ResearcherRecord = t.strict({
  id: t.string,
  presentUntil: t.union([Time, t.null]),
  draining: t.boolean,
  blocked: t.boolean,
})
export type ResearcherRecord = t.TypeOf<typeof ResearcherRecord>

/** Researchers that are present: R (L1). */
export class Presence {
  count = 0
  readonly #researchers = new Map<string, Researcher>()
  readonly #deadlines: Deadlines
  readonly #now: () => string

  constructor(deadlines: Deadlines, now: () => string) {
    this.#deadlines = deadlines
    this.#now = now
  }

  fold(id: string, { type, data }: ResearcherEvent): void {
    const researcher = this.#researcher(id)
    switch (type) {
      case 'ResearcherRegistered':
        researcher.presentUntil = data.presentUntil
        researcher.draining = false
        break
      case 'ResearcherBeat':
        researcher.presentUntil = data.presentUntil
        break
      case 'ResearcherDraining':
        researcher.draining = true
        break
      case 'ResearcherGone':
        researcher.presentUntil = undefined
        researcher.draining = false
        break
      case 'ResearcherBlocked':
        researcher.blocked = true
        break
      case 'ResearcherUnblocked':
        researcher.blocked = false
        break
    }
    this.#review(researcher)
  }

  records(): ResearcherRecord[] {
    return [...this.#researchers].map(([id, { presentUntil, draining, blocked }]) => ({
      id,
      presentUntil: presentUntil ?? null,
      draining,
      blocked,
    }))
  }

  restore({ id, presentUntil, draining, blocked }: ResearcherRecord): void {
    const researcher = this.#researcher(id)
    Object.assign(researcher, { presentUntil: presentUntil ?? undefined, draining, blocked })
    this.#review(researcher)
  }

  #researcher(id: string): Researcher {
    const known = this.#researchers.get(id)
    if (known) return known
    const researcher = new Researcher((one) => this.#review(one))
    this.#researchers.set(id, researcher)
    return researcher
  }

  #review(researcher: Researcher): void {
    const { presentUntil, draining, blocked, counted } = researcher
    researcher.counted = presentUntil !== undefined && this.#now() < presentUntil && !draining && !blocked
    this.count += Number(researcher.counted) - Number(counted)
    this.#deadlines.schedule(researcher)
  }
}
