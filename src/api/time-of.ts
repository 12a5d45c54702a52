import { type Either, map, right } from 'fp-ts/lib/Either.js'
import { logMoment } from '../app/log-moment.ts'
import type { System } from '../app/system.ts'
import type { Unavailable } from '../ports/unavailable.ts'
import type { Point } from '../ports/view-store.ts'
import { canonical } from '../projections/runtime/as-of.ts'

/** ISO 8601 UTC. A position stands for the time of the last event up to it. */
export const timeOf = async (
  system: Pick<System, 'eventStore' | 'viewStore' | 'clock'>,
  given: Point,
): Promise<Either<Unavailable, string>> => {
  const point = canonical(given)
  if ('time' in point) return right(point.time)
  return map(
    ({ event }: { readonly event: { readonly recordedAt: string } | undefined }) =>
      event?.recordedAt ?? system.clock.now(),
  )(await logMoment(system, point))
}
