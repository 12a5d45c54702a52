import { json, text, type ViewShape } from '../kernel/view.ts'
import type { CapacityEvent } from './capacity.ts'
import type { Policy } from './policy/policy.ts'

/* Of the work as a whole: what was decided, and how much was done when. */

export const capacity = {
  name: 'research-capacity',
  description: 'The last decisions on capacity.',
  key: ['slot'],
  columns: {
    /** Number of the decision modulo how many are kept. */
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

/** Decisions kept in the view; the log has all. */
export const keptDecisions = 1000

export const hours = {
  name: 'research-hours',
  description: 'What was done in each hour.',
  key: ['hour'],
  columns: {
    /** ISO 8601 UTC: its beginning. */
    hour: 'text',
    /** When the first lease in it was granted, or the first result came. */
    begunAt: 'text',
    /** Results that count, results that came again, pairs with a match. */
    researched: 'integer',
    repeats: 'integer',
    found: 'integer',
    failures: 'integer',
    granted: 'integer',
    expired: 'integer',
    /** Results that came after their lease had ended, and seconds from the finding to its intake, in sum. */
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
