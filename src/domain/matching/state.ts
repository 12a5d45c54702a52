import { canonicalJson } from './canonical-json.ts'
import type { Facts, WorkEvent } from './events.ts'

/** What deciding needs of a work: small, because thousands are held at once. */
interface KnownWork {
  /** Who speaks for it. */
  readonly source: string
  /** The highest version heard of that source; undefined until a new one has spoken. */
  readonly sourceVersion?: number
  /** What was last said, as canonical text. */
  readonly content: string
}

/** Undefined until a source has spoken. */
export type WorkHistory = KnownWork | undefined

export const initial: WorkHistory = undefined

export const evolve = (known: WorkHistory, event: WorkEvent): WorkHistory => {
  switch (event.type) {
    case 'WorkObserved':
    case 'WorkCorrected': {
      const { source, sourceVersion } = event.data
      return { source, sourceVersion, content: contentOf(event.data) }
    }
    case 'WorkHandedOver':
      return known && { source: event.data.to, content: known.content }
    case 'ResendRequested':
      return known
  }
}

/** Equal texts mean that the same was said. Who said it, at which version and when is no part of it. */
export const contentOf = ({ sourceModifiedAt, state, title, links, fields }: Facts): string =>
  canonicalJson({ sourceModifiedAt, state, title, links, fields })
