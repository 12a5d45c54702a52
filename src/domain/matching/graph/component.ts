import type { Facts } from '../events.ts'
import type { Bridge } from './bridge.ts'
import type { Member } from './events.ts'
import type { DecidingLink } from './link-changes.ts'

/** The latest that is known of a work. `links` are the ids it names; naming one twice, or itself, changes nothing. */
export interface Fact {
  readonly id: string
  readonly revision: number
  readonly deleted: boolean
  readonly links: readonly string[]
}

/** What a source said of a work, as the graph takes it. */
export const factOf = (id: string, revision: number, { state, links }: Facts): Fact => ({
  id,
  revision,
  deleted: state === 'deleted',
  links: links.map(({ to }) => to),
})

/** Components that hold works of one former component: works were parted or moved between them. */
export interface Family {
  readonly components: readonly Component[]
  /** What brought their works together, or apart. */
  readonly links: readonly DecidingLink[]
}

/** Works connected by active links. A deleted work is a component of its own. */
export interface Component {
  /** Seen works and their revisions, sorted by id; never empty. */
  readonly members: readonly Member[]
  /** Ids that are linked to and were never seen, sorted. */
  readonly placeholders: readonly string[]
  readonly bridge?: Bridge
}
