import { integer, json, text, type ViewShape } from '../kernel/view.ts'
import type { Link } from './events.ts'
import type { GraphChanged } from './graph/events.ts'
import type { Document } from './merged/document.ts'
import type { Rules } from './merged/rules.ts'
import { graphTurns, turns } from './turn-views.ts'
import { verdicts } from './verdict-views.ts'
import type { WorkState } from './work.ts'

export { graphTurns, turns } from './turn-views.ts'
export { verdicts } from './verdict-views.ts'

/*
 * A graph, in these views, is a component with a history: it keeps its number through changes of its members, as long
 * as most of them stay together. The projection assigns numbers in the order of the log.
 *
 * Keys begin with the most selective column: a key that begins with the generation would be taken for an index on it,
 * which is all rows.
 */

export const works = {
  name: 'matching-works',
  description: 'Every work as its source last described it.',
  key: ['work'],
  columns: {
    work: 'text',
    source: text(),
    sourceVersion: 'integer',
    sourceModifiedAt: 'text',
    state: text<WorkState>(),
    title: 'text',
    /** Sorted by target. */
    links: json<readonly Link[]>(),
    fields: json<Readonly<Record<string, unknown>> | null>(),
    /** Revision of the last event in the work's stream. */
    revision: integer(),
    /** Time at which that event was recorded. */
    updatedAt: 'text',
    /**
     * Number of times that the same version came again with other content, since a person confirmed it; null if it
     * did not.
     */
    corrections: 'integer',
    /** Time since when its last event waits to enter a graph; null if it has. */
    unmatchedSince: 'text',
  },
  history: {},
} as const satisfies ViewShape

export const links = {
  name: 'matching-links',
  description: 'Every link that a work states now, with the event that first stated it.',
  key: ['from', 'to'],
  columns: {
    from: 'text',
    to: 'text',
    reasons: json<readonly string[]>(),
    /** Time since when it is stated without interruption; the event is at `revision` of the stream `work-<from>`. */
    statedAt: 'text',
    revision: 'integer',
    position: 'integer',
  },
  indexes: [['to']],
  history: { by: [['to']] },
} as const satisfies ViewShape

export const placeholders = {
  name: 'matching-placeholders',
  description: 'Ids that works link to and that no source ever described.',
  key: ['id'],
  columns: {
    id: 'text',
    /** Number of works that name it. */
    namedBy: 'integer',
    since: 'text',
  },
  indexes: [['namedBy']],
  history: { by: [['namedBy']], byKey: false },
} as const satisfies ViewShape

export const members = {
  name: 'matching-members',
  description: 'Which graph a work or placeholder is in, in each generation.',
  key: ['id', 'generation'],
  columns: {
    generation: 'integer',
    id: 'text',
    graph: integer(),
    /** 1 for a placeholder. */
    placeholder: 'integer',
    /** Revision of the work that the last change was made from; null for a placeholder. */
    revision: 'integer',
  },
  indexes: [['graph', 'generation']],
  history: { by: [['graph', 'generation']], byKey: false },
} as const satisfies ViewShape

export const graphs = {
  name: 'matching-graphs',
  description: 'The components, of each generation: how large, at which version, what is odd about them.',
  key: ['graph', 'generation'],
  columns: {
    generation: 'integer',
    graph: 'integer',
    /** Its smallest work id. */
    component: 'text',
    /** `size`: number of works by its last change; `held`: number of works in it. */
    size: 'integer',
    held: 'integer',
    placeholders: 'integer',
    version: 'integer',
    changedAt: 'text',
    /** `causes`: some of the works whose updates led to the last change; `caused`: their number. */
    causes: json<readonly string[]>(),
    caused: 'integer',
    /** Number of documents that are valid for this version: written at it, or unchanged. */
    indexed: 'integer',
    /** Time since when some of its documents are not; null if all are. */
    waitingSince: 'text',
    /** The work that the others redirect to; of several merged ones the latest; null if none is visible. */
    target: 'text',
    /**
     * Number of merged works among its documents. More than one is valid only if nothing redirects: works that do not
     * merge.
     */
    merged: 'integer',
    /** `redirects`: number of redirects among them; `astray`: number of redirects that lead out of the component. */
    redirects: 'integer',
    astray: 'integer',
    /** The fault once nothing waits: `no-target`, `two-targets`, `astray`; null if there is none. */
    fault: 'text',
    /** `{from, to, side}`: the only link between two parts of it. */
    bridge: json<{ readonly from: string; readonly to: string; readonly side: number } | null>(),
    /** Number of works on the smaller side of that link, so that the worst come first; null if the graph is confirmed. */
    bridgeSide: 'integer',
    /** Time of the verdict of a person that the graph is right as it is; null if none counts. */
    confirmedAt: 'text',
  },
  indexes: [['generation', 'size']],
  history: { by: [['generation', 'size']], byKey: false },
} as const satisfies ViewShape

export const parts = {
  name: 'matching-parts',
  description: 'Events of changes whose last event is not there yet: such a change does not count.',
  key: ['generation', 'revision'],
  columns: {
    generation: 'integer',
    /** Revision of the event, in the stream `graph-<generation>`. */
    revision: 'integer',
    version: 'integer',
    change: json<GraphChanged>(),
  },
} as const satisfies ViewShape

export const sizes = {
  name: 'matching-sizes',
  description: 'How many components there are of each size, in each generation.',
  key: ['generation', 'size'],
  columns: { generation: 'integer', size: 'integer', components: 'integer' },
  history: {},
} as const satisfies ViewShape

export const counts = {
  name: 'matching-counts',
  description:
    'How many works, links, placeholders and refusals there are, and in each generation how many documents of each kind.',
  key: ['generation', 'of', 'value'],
  columns: {
    /** 0 for counts of all generations: all but graphs and documents. */
    generation: 'integer',
    of: text<'works' | 'links' | 'placeholders' | 'refusals' | 'graphs' | 'documents' | 'verdicts'>(),
    /**
     * The state of works, or `unmatched`, `corrected`; `stated` links, `named` placeholders; the code of refusals; `unindexed` and `faulty`
     * graphs; the kind of documents; verdicts about a `graph` or a `record`.
     */
    value: text(),
    count: integer(),
  },
  history: {},
} as const satisfies ViewShape

export const merged = {
  name: 'matching-merged',
  description: 'The document of every work, in each generation: merged, redirect, hidden or deleted.',
  key: ['work', 'generation'],
  columns: {
    generation: 'integer',
    work: 'text',
    /**
     * Version of the graph that it was made from; that of the work's graph, which holds it, is this one or a later one.
     */
    version: integer(),
    kind: text<Document['kind']>(),
    /** Target of a redirect. */
    to: 'text',
    title: 'text',
    component: 'text',
    document: json<Document>(),
    at: 'text',
    /** The graph that counts it; null if its work is in none. `astray`: 1 for a redirect that leads out of it. */
    graph: 'integer',
    astray: 'integer',
  },
  history: { byKey: false },
} as const satisfies ViewShape

export const refusals = {
  name: 'matching-refusals',
  description: 'Updates and documents that came too late: what was offered, and what was held.',
  key: ['position'],
  columns: {
    position: 'integer',
    /** `source`: an older version of the record. `index`: a document of an older graph. */
    stage: 'text',
    work: 'text',
    generation: 'integer',
    code: 'text',
    offered: 'integer',
    held: 'integer',
    message: 'text',
    source: 'text',
    because: 'text',
    at: 'text',
  },
  indexes: [['work'], ['at']],
  history: {},
} as const satisfies ViewShape

export const generations = {
  name: 'matching-generations',
  description: 'The indexes that there are: which is live, which is built beside it, and by which rules.',
  key: ['generation'],
  columns: {
    generation: 'integer',
    /** `building` until it has every component, then `ready`; `live`; `dropped`. */
    status: 'text',
    rules: json<Rules>(),
    /** Number of components that it had when it was listed; null before. */
    components: 'integer',
    /** The number that was given to a graph last. */
    lastGraph: 'integer',
    startedAt: 'text',
    listedAt: 'text',
    switchedAt: 'text',
    reason: 'text',
  },
  history: {},
} as const satisfies ViewShape

export const views = [
  works,
  links,
  placeholders,
  members,
  graphs,
  parts,
  sizes,
  counts,
  turns,
  graphTurns,
  merged,
  refusals,
  generations,
  verdicts,
] as const
