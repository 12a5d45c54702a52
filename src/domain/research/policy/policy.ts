import * as t from 'io-ts'
import { annotate } from '../../kernel/annotation.ts'
import { NonNegativeInteger, PositiveInteger } from '../../kernel/codecs.ts'

const year = 366 * 86_400
const Seconds = annotate(
  t.refinement(PositiveInteger, (n) => n <= year, 'whole number of seconds from 1 to a year'),
  { maximum: year },
)

/** The settings. Each change is an event with a version; a lease keeps the settings of its grant (X14). */
export const Policy = t.intersection(
  [
    t.type({
      /** Duration of a lease, and its extension by each result. */
      leaseSeconds: Seconds,
      /** Time within which an item can be taken: at least `gapSeconds` less than the lease's duration (L27). */
      itemSeconds: Seconds,
      /** Time that a researcher needs to fetch an episode and finish one clip (F6). */
      gapSeconds: Seconds,
      /** L22. */
      maxClips: annotate(
        t.refinement(PositiveInteger, (n) => n <= 10_000, 'whole number from 1 to 10000'),
        { maximum: 10_000 },
      ),
      /** A researcher that is silent for this long counts as absent. */
      presenceSeconds: Seconds,
      /** Failures in a row until an episode, clip or pair is parked; for an episode also silent leases in a row. */
      attempts: annotate(
        t.refinement(PositiveInteger, (n) => n <= 100, 'whole number from 1 to 100'),
        { maximum: 100 },
      ),
      /** Back-off after the first failure; each further one doubles it, up to a day. */
      backoffSeconds: Seconds,
      /** New clips wait until there are this many, or the first has waited this long (X12). 1 and 0: none waits. */
      batchClips: PositiveInteger,
      batchSeconds: NonNegativeInteger,
    }),
    t.partial({
      /** Difference in age that equals one step of an episode's priority (X11). Absent: age does not count. */
      agingSeconds: Seconds,
      /** The longest duration of a lease, with all extensions (F29). Absent: no limit. */
      longestLeaseSeconds: Seconds,
    }),
  ],
  'policy',
)
export type Policy = t.TypeOf<typeof Policy>

export const defaultPolicy: Policy = {
  leaseSeconds: 7200,
  itemSeconds: 5400,
  gapSeconds: 600,
  maxClips: 100,
  presenceSeconds: 180,
  attempts: 5,
  backoffSeconds: 300,
  batchClips: 1,
  batchSeconds: 0,
}

/** Returns why the settings are inconsistent, with field and fix; undefined if they are consistent. */
export const whyRejected = (policy: Policy): string | undefined => {
  const { leaseSeconds, itemSeconds, gapSeconds, longestLeaseSeconds, batchClips, batchSeconds } = policy
  if (itemSeconds >= leaseSeconds)
    return `itemSeconds (${itemSeconds}) must be below leaseSeconds (${leaseSeconds}): an item that outlives its lease would be worked on twice`
  if (leaseSeconds - itemSeconds < gapSeconds)
    return `leaseSeconds (${leaseSeconds}) must be at least itemSeconds + gapSeconds (${itemSeconds + gapSeconds}): the item taken last could not be finished`
  if (longestLeaseSeconds !== undefined && longestLeaseSeconds < leaseSeconds)
    return `longestLeaseSeconds (${longestLeaseSeconds}) must not be below leaseSeconds (${leaseSeconds})`
  // Either of them alone would let no clip wait, without any notice.
  if (batchClips > 1 && batchSeconds === 0)
    return `batchSeconds (0) must be above 0 where batchClips is ${batchClips}: new clips wait until so many have come, or the first has waited so long`
  if (batchClips === 1 && batchSeconds > 0)
    return `batchClips (1) must be above 1 where batchSeconds is ${batchSeconds}: one clip alone waits for no other; both 1 and 0 have none wait`
  return undefined
}

const maxBackoffSeconds = 86_400

/** Returns the seconds until the next attempt after `failures` in a row; undefined: there is none. */
export const backoffAfter = (
  failures: number,
  { attempts, backoffSeconds }: Pick<Policy, 'attempts' | 'backoffSeconds'>,
): number | undefined =>
  failures >= attempts
    ? undefined
    : Math.min(backoffSeconds * 2 ** (failures - 1), Math.max(maxBackoffSeconds, backoffSeconds))
