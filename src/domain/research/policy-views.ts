import { json, text, type ViewShape } from '../kernel/view.ts'
import type { CapacityEvent } from './capacity.ts'
import type { Policy } from './policy/policy.ts'

/* Views of the work as a whole: decisions, and the amount of work by hour. */

export const capacity = {
  name: 'research-capacity',
  description: 'The last decisions on capacity.',
  key: ['slot'],
  columns: {
    /** Number of the decision modulo the number of kept ones. */
    slot: 'integer',
    number: 'integer',
    at: 'text',
    researchers: 'integer',
    queued: 'integer',
    added: 'integer',
    stopped: text<CapacityEvent['data']['stopped']>(),
  },
  history: {},
} as const satisfies ViewShape

/** Number of decisions kept in the view; the log has all. */
export const keptDecisions = 1000

export const hours = {
  name: 'research-hours',
  description: 'What was done in each hour.',
  key: ['hour'],
  columns: {
    /** Start of the hour, ISO 8601 UTC. */
    hour: 'text',
    /** Time of the first grant of a lease in it, or of its first result. */
    begunAt: 'text',
    /** Numbers of results that count, of repeated results, of pairs with a match. */
    researched: 'integer',
    repeats: 'integer',
    found: 'integer',
    failures: 'integer',
    granted: 'integer',
    expired: 'integer',
    /**
     * `late`: number of results that came after their lease had ended; `intakeSeconds`: seconds from the finding to its
     * intake, in sum.
     */
    late: 'integer',
    intakeSeconds: 'real',
  },
  history: {},
} as const satisfies ViewShape

export const policy = {
  name: 'research-desk',
  description: 'What people decided for the whole of the work.',
  key: ['name'],
  columns: {
    /** Always `research`. */
    name: 'text',
    policyVersion: 'integer',
    policy: json<Policy>(),
    pausedAt: 'text',
    pausedReason: 'text',
    /** Sorted. */
    pinnedCurators: json<readonly string[]>(),
    excludedCurators: json<readonly string[]>(),
    /** Counters that number clips and decisions. */
    clips: 'integer',
    decisions: 'integer',
  },
  history: {},
} as const satisfies ViewShape
