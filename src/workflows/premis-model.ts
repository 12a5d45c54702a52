import type { PremisObject } from '@fonds/premis'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import type { NotExported, PremisMapping } from '../domain/kernel/premis.ts'
import type { ViewStore } from '../ports/view-store.ts'

/** A workflow in PREMIS. `NotExported`: none of its events are about objects of the archive. */
export type PremisModel = NotExported | PremisWorkflow

export interface PremisWorkflow {
  readonly kind: 'exported'
  readonly mapping: PremisMapping
  /** The ids of the things of an event that is not about its stream; undefined: it is. */
  thingsOf?(event: RecordedEvent): readonly string[] | undefined
  /** Yields the things that people call `id`, as the views have them, with files that have no events of their own. */
  objects(id: string, viewStore: ViewStore): Iterable<PremisObject>
  /** The events of a whole, such as a store or a batch; undefined if there is none of this id. */
  whole?(id: string, viewStore: ViewStore): Whole | undefined
}

/** The parts of a whole, as the views have them, and where its events and theirs are. */
export type Whole = { readonly parts: Iterable<PremisObject> } & (
  | { readonly kind: 'streams'; readonly streams: () => Iterable<string> }
  | {
      readonly kind: 'log'
      readonly categories: readonly string[]
      readonly includes: (event: RecordedEvent) => boolean
    }
)
