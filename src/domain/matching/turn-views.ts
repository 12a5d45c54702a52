import { integer, json, text, type ViewShape } from '../kernel/view.ts'
import type { TurnCause } from './turn-cause.ts'

/* Joins and splits: a row for each work that came into another graph, and one for each graph that works joined or left. */

export const turns = {
  name: 'matching-turns',
  description: 'Which work came into which graph, when, and by which update.',
  key: ['work', 'generation', 'version'],
  columns: {
    generation: 'integer',
    work: 'text',
    version: 'integer',
    /** The graph that it is in from then on, and its works. */
    graph: integer(),
    size: integer(),
    /** The graph that it was in before; null when it is new. */
    was: 'integer',
    at: text(),
    /** Why it is with those of its new graph, and why it is no longer with those of the other one; null where that was not kept. */
    joinedBy: json<TurnCause | null>(),
    leftBy: json<TurnCause | null>(),
  },
  history: { byKey: false },
} as const satisfies ViewShape

export const graphTurns = {
  name: 'matching-graph-turns',
  description: 'Which graph works joined or left, when, and by which updates.',
  key: ['graph', 'generation', 'version'],
  columns: {
    generation: 'integer',
    graph: 'integer',
    version: 'integer',
    /** 1 when it is new. */
    isNew: integer<0 | 1>(),
    /** Works that joined and that left, and the first few of either. */
    joined: integer(),
    left: integer(),
    some: json<readonly string[]>(),
    gone: json<readonly string[]>(),
    size: integer(),
    at: text(),
    /** Why they joined and why they left: a few, and how many there are. Null where it was not kept, or nobody did. */
    joinedBy: json<readonly TurnCause[] | null>(),
    joinedCauses: integer(),
    leftBy: json<readonly TurnCause[] | null>(),
    leftCauses: integer(),
  },
  history: {},
} as const satisfies ViewShape
