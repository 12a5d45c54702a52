import type { SeenVersion, VerdictEvent } from './events.ts'

/** The verdicts that stand about a graph and a record; null where there is none, or it was taken back. */
export interface Verdicts {
  readonly graph: { readonly content: string; readonly versions: readonly SeenVersion[] } | null
  /** Corrections that were confirmed. */
  readonly record: number | null
}

export const initial: Verdicts = { graph: null, record: null }

export const evolve = (state: Verdicts, event: VerdictEvent): Verdicts => {
  switch (event.type) {
    case 'GraphConfirmed': {
      const { content, versions } = event.data
      return { ...state, graph: { content, versions } }
    }
    case 'GraphUnconfirmed':
      return { ...state, graph: null }
    case 'RecordConfirmed':
      return { ...state, record: (state.record ?? 0) + event.data.corrections }
    case 'RecordUnconfirmed':
      return { ...state, record: null }
  }
}
