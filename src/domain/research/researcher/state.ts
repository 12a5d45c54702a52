import type { Engine } from '../terms.ts'
import type { ResearcherEvent } from './events.ts'

/** What a researcher says of itself when it registers. */
export interface Description {
  readonly version?: string
  readonly engine?: Engine
  readonly mediaTypes?: readonly string[]
}

export interface KnownResearcher {
  /** It counts as there while now is before. */
  readonly presentUntil: string
  /** Told that it left, or was silent for too long; since then it has not been heard of. */
  readonly gone: 'left' | 'silent' | undefined
  /** One that was silent while it drained still drains when it is heard of again. */
  readonly draining: boolean
  readonly blocked: boolean
  readonly description: Description
}

/** Undefined until it was heard of. */
export type Researcher = KnownResearcher | undefined

export const initial: Researcher = undefined

export const evolve = (known: Researcher, event: ResearcherEvent): Researcher => {
  if (event.type === 'ResearcherRegistered') {
    const { presentUntil, at: _, ...description } = event.data
    return { presentUntil, gone: undefined, draining: false, blocked: known?.blocked ?? false, description }
  }
  if (!known) return known
  switch (event.type) {
    case 'ResearcherBeat':
      return { ...known, presentUntil: event.data.presentUntil }
    case 'ResearcherDraining':
      return { ...known, draining: true }
    case 'ResearcherGone':
      return { ...known, gone: event.data.because }
    case 'ResearcherBlocked':
      return { ...known, blocked: true }
    case 'ResearcherUnblocked':
      return { ...known, blocked: false }
  }
}
