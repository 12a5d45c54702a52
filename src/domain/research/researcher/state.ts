import type { Engine } from '../terms.ts'
import type { ResearcherEvent } from './events.ts'

/** How a researcher describes itself when it registers. */
export interface Description {
  readonly version?: string
  readonly engine?: Engine
  readonly mediaTypes?: readonly string[]
}

export interface KnownResearcher {
  /** It is present while now is before this. */
  readonly presentUntil: string
  /** Why it counts as gone. */
  readonly absence: 'left' | 'silent' | undefined
  /** Kept while it is silent: it still drains when it beats again. */
  readonly draining: boolean
  readonly blocked: boolean
  readonly description: Description
}

/** Undefined before its first message. */
export type Researcher = KnownResearcher | undefined

export const initial: Researcher = undefined

export const evolve = (known: Researcher, event: ResearcherEvent): Researcher => {
  if (event.type === 'ResearcherRegistered') {
    const { presentUntil, at: _, ...description } = event.data
    return {
      presentUntil,
      absence: undefined,
      draining: false,
      blocked: known?.blocked ?? false,
      description,
    }
  }
  if (!known) return known
  switch (event.type) {
    case 'ResearcherBeat':
      return { ...known, presentUntil: event.data.presentUntil }
    case 'ResearcherDraining':
      return { ...known, draining: true }
    case 'ResearcherGone':
      return { ...known, absence: event.data.because }
    case 'ResearcherBlocked':
      return { ...known, blocked: true }
    case 'ResearcherUnblocked':
      return { ...known, blocked: false }
  }
}
