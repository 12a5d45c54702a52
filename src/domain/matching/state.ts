import type { Facts, Link, WorkEvent } from './events.ts'

/** What deciding needs of a work: small, because thousands are held at once. */
interface KnownWork {
  /** Who speaks for it. */
  readonly source: string
  /** The highest version heard of that source; undefined until a new one has spoken. */
  readonly sourceVersion?: number
  /** What was last said, as JSON. */
  readonly content: string
  /** Links that persons left out of this version, as they were stated. */
  readonly dropped?: readonly Link[]
}

/** Undefined until a source has spoken. */
export type WorkHistory = KnownWork | undefined

export const initial: WorkHistory = undefined

export const evolve = (known: WorkHistory, event: WorkEvent): WorkHistory => {
  switch (event.type) {
    case 'WorkObserved': {
      const { source, sourceVersion } = event.data
      return { source, sourceVersion, content: contentOf(event.data) }
    }
    case 'WorkCorrected': {
      const { source, sourceVersion, dropped = [] } = event.data
      const content = contentOf(event.data)
      return dropped.length === 0
        ? { source, sourceVersion, content }
        : { source, sourceVersion, content, dropped: linksTo(dropped, known) }
    }
    case 'WorkHandedOver':
      return known && { source: event.data.to, content: known.content }
    case 'ResendRequested':
      return known
  }
}

/** A link that was dropped stood in what was said before. */
const linksTo = (ends: readonly string[], known: WorkHistory): readonly Link[] => {
  const before = known ? [...(known.dropped ?? []), ...saidIn(known.content).links] : []
  return ends.map((to) => before.find((link) => link.to === to) ?? { to, reasons: [] })
}

type Content = Pick<Facts, 'sourceModifiedAt' | 'state' | 'title' | 'links' | 'fields'>

/** What was said, as JSON. Who said it, at which version and when is no part of it. */
export const contentOf = ({ sourceModifiedAt, state, title, links, fields }: Content): string =>
  JSON.stringify({ sourceModifiedAt, state, title, links, fields })

export const saidIn = (content: string): Content => JSON.parse(content) as Content
