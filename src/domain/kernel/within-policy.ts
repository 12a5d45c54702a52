import type { EventsRemoved, RetentionPolicy } from './retention.ts'
import { addMillis, DAY } from './time.ts'

/** The least time that ISO 8601 has with four digits: nothing is older. */
const beginning = Date.parse('0000-01-01T00:00:00.000Z')

/** The time before which a policy removes, as of `now`. Both in ISO 8601 UTC. */
export const cutoffOf = ({ days }: Pick<RetentionPolicy, 'days'>, now: string): string =>
  new Date(Math.max(beginning, Date.parse(now) - days * DAY)).toISOString()

/** A server's clock may differ from that of the process that wrote the event. */
const skewMillis = DAY

/**
 * Whether an event names no more than the policy allows that was in force when it was recorded. Another program may have written it:
 * that it names a policy says nothing.
 */
export const isWithinPolicy = (
  { policy, olderThan }: Pick<EventsRemoved, 'policy' | 'olderThan'>,
  inForce: RetentionPolicy | undefined,
  recordedAt: string,
): boolean =>
  inForce !== undefined &&
  (['days', 'actor', 'reason', 'at'] as const).every((key) => inForce[key] === policy[key]) &&
  olderThan <= cutoffOf(policy, addMillis(recordedAt, skewMillis))
