import type { Facts } from '../events.ts'
import type { Bridge } from './bridge.ts'
import type { Member } from './events.ts'
import type { DecidingLink } from './link-changes.ts'

/** The latest fact of a work. `links` are the ids it names; naming one twice, or itself, has no effect. */
export interface Fact {
  readonly id: string
  readonly revision: number
  readonly deleted: boolean
  readonly links: readonly string[]
}

/** Converts a source's record of a work to the graph's fact. */
export const factOf = (id: string, revision: number, { state, links }: Facts): Fact => ({
  id,
  revision,
  deleted: state === 'deleted',
  links: links.map(({ to }) => to),
})

/** Components with works of one former component: works were separated or moved between them. */
export interface Family {
  readonly components: readonly Component[]
  /** The links that joined or separated their works. */
  readonly links: readonly DecidingLink[]
}

/** Works connected by active links. A deleted work is a component of its own. */
export interface Component {
  /** Works that a source described, with revisions, sorted by id; never empty. */
  readonly members: readonly Member[]
  /** Ids that are linked to and that no source described, sorted. */
  readonly placeholders: readonly string[]
  readonly bridge?: Bridge
}
