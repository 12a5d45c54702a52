import type { Facts, Link, WorkEvent } from './events.ts'

/** State for decisions about a work: small, because thousands are held at once. */
interface KnownWork {
  /** The source responsible for it. */
  readonly source: string
  /** The highest version received from that source; undefined until a new source has reported. */
  readonly sourceVersion?: number
  /** The last record, as JSON. */
  readonly content: string
  /** Links that persons removed from this version, as they were stated. */
  readonly dropped?: readonly Link[]
}

/** Undefined until a source has reported. */
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

/** A dropped link was part of the previous content. */
const linksTo = (ends: readonly string[], known: WorkHistory): readonly Link[] => {
  const before = known ? [...(known.dropped ?? []), ...parseContent(known.content).links] : []
  return ends.map((to) => before.find((link) => link.to === to) ?? { to, reasons: [] })
}

type Content = Pick<Facts, 'sourceModifiedAt' | 'state' | 'title' | 'links' | 'fields'>

/** Returns a record's content as JSON. Its source, version and time are not included. */
export const contentOf = ({ sourceModifiedAt, state, title, links, fields }: Content): string =>
  JSON.stringify({ sourceModifiedAt, state, title, links, fields })

export const parseContent = (content: string): Content => JSON.parse(content) as Content
