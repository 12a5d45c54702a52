import type { Bridge } from './bridge.ts'
import type { Member } from './events.ts'

/** The latest that is known of a work. `links` are the ids it names; naming one twice, or itself, changes nothing. */
export interface Fact {
  readonly id: string
  readonly revision: number
  readonly deleted: boolean
  readonly links: readonly string[]
}

/** Works connected by active links. A deleted work is a component of its own. */
export interface Component {
  /** Seen works and their revisions, sorted by id; never empty. */
  readonly members: readonly Member[]
  /** Ids that are linked to and were never seen, sorted. */
  readonly placeholders: readonly string[]
  readonly bridge?: Bridge
}
