import * as t from 'io-ts'
import { Text } from '../../domain/kernel/codecs.ts'

/** A thing that was found. */
const Hit = t.intersection([
  t.type({
    /** Its id, as commands take it. */
    id: Text,
    /** Its title, beside its id. */
    title: t.union([t.string, t.null]),
    /** Its state, or what it is a part of. */
    note: t.union([t.string, t.null]),
    /** True if the text is its id, its title or its name. */
    exact: t.boolean,
    /** The command line that shows it. */
    command: Text,
  }),
  /** Address of the page that shows it, from the root; absent if there is none. */
  t.partial({ page: Text }),
])

const Group = t.type({
  /** As `kind` takes it. */
  kind: Text,
  title: Text,
  /** The best first. */
  hits: t.readonlyArray(Hit),
  /** Number of all, as far as they were counted. */
  total: t.number,
  /** False: there are more than `total`. */
  isAll: t.boolean,
})

/** A kind, or a part of one, that a search could not look at. */
const LeftOut = t.type({ kind: Text, title: Text, because: Text })

export const SearchAnswer = t.type({
  text: Text,
  /** Kinds of which something was found: those with exact hits first. */
  groups: t.readonlyArray(Group),
  leftOut: t.readonlyArray(LeftOut),
})

export type SearchAnswer = t.TypeOf<typeof SearchAnswer>
export type SearchGroup = t.TypeOf<typeof Group>
