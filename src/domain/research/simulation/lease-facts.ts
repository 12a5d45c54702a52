import type { EpisodeEvent } from '../episode/events.ts'

/** An event that extended a lease, or ended it. */
interface Sign {
  /** ISO 8601 UTC. */
  readonly at: string
  readonly ends: boolean
  /** `extension`: without a report, after half of the lease (X6). `person`: revoked. */
  readonly by: 'report' | 'extension' | 'person'
}

/** One lease, by its events. Times are ISO 8601 UTC. */
export interface LeaseFacts {
  readonly grantedAt: string
  /** Its item could be taken before this. */
  readonly notAfter: string
  readonly leaseSeconds: number
  /** No extension went beyond it; absent: no limit. */
  readonly endsBy?: string
  /** Absent: nobody took it. */
  readonly takenAt?: string
  /** In the order of the log, with those that came too late. */
  readonly signs: readonly Sign[]
}

/** Collects the facts of leases from their episode's events, which come newest first. */
interface LeaseFactsReader {
  add(event: EpisodeEvent): void
  /** Returns the number of leases whose grant was not yet read. */
  missing(): number
  /** Returns the facts of the leases whose grant was read. */
  facts(): readonly LeaseFacts[]
}

type Granted = Extract<EpisodeEvent, { readonly type: 'LeaseGranted' }>['data']

/** Creates a reader for these leases only. */
export const leaseFactsReader = (leases: readonly string[]): LeaseFactsReader => {
  const found = new Map(leases.map((lease) => [lease, { signs: [] as Sign[] } as Found]))
  let missing = found.size
  return {
    add: (event) => {
      const lease = 'lease' in event.data ? event.data.lease : undefined
      const about = lease === undefined ? undefined : found.get(lease)
      if (!about) return
      if (event.type === 'LeaseGranted') {
        if (!about.granted) missing--
        about.granted = event.data
      } else if (event.type === 'WorkItemTaken') about.takenAt = event.data.at
      else {
        const sign = signOf(event)
        if (sign) about.signs.push(sign)
      }
    },
    missing: () => missing,
    facts: () =>
      [...found.values()].flatMap(({ granted, takenAt, signs }) =>
        granted
          ? [
              {
                grantedAt: granted.at,
                notAfter: granted.notAfter,
                leaseSeconds: granted.leaseSeconds,
                ...(granted.endsBy !== undefined && { endsBy: granted.endsBy }),
                ...(takenAt !== undefined && { takenAt }),
                signs: signs.toReversed(),
              },
            ]
          : [],
      ),
  }
}

interface Found {
  granted?: Granted
  takenAt?: string
  readonly signs: Sign[]
}

const signOf = (event: EpisodeEvent): Sign | undefined => {
  const { at } = event.data
  switch (event.type) {
    case 'ClipResearched':
      return { at, ends: event.data.final || event.data.effect.kind === 'revoked', by: 'report' }
    case 'ResearchFailed': {
      // For a late failure it is not recorded whether it was the last report of its lease.
      const { effect, subject } = event.data
      return { at, ends: effect.kind === 'revoked' || subject === 'episode', by: 'report' }
    }
    case 'LeaseExtended':
      return { at, ends: false, by: 'extension' }
    case 'LeaseReleased':
      return { at, ends: true, by: 'report' }
    case 'LeaseRevoked':
      return { at, ends: true, by: 'person' }
    default:
      return undefined
  }
}
