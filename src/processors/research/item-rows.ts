import { is, row, rows } from '../../domain/kernel/read-views.ts'
import { millisBetween } from '../../domain/kernel/time.ts'
import type { RowOf, Views } from '../../domain/kernel/view.ts'
import type { Researcher } from '../../domain/research/episode/commands.ts'
import type { Media } from '../../domain/research/terms.ts'
import { episodes, leases } from '../../domain/research/views.ts'
import type { Clock } from '../../ports/clock.ts'

export interface ItemRowsDependencies {
  readonly viewStore: Pick<Views, 'query'>
  readonly clock: Clock
  /** True if this media can be read without fetching it: such items go first (X12). */
  readonly isAtHand: (media: Media) => boolean
}

/** Rows read for one choice: more items wait only while researchers are absent. */
const maxRead = 100

export type LeaseRow = RowOf<typeof leases>

/** Leases as the views show them, in the order in which their items should be taken. */
export const itemRows = ({ viewStore, clock, isAtHand }: ItemRowsDependencies) => {
  /** Items that waited for half of their time come first, then those whose media is available locally. */
  const rankOf = (
    { episode, grantedAt, notAfter }: LeaseRow,
    isEpisodeAtHand: (episode: string) => boolean,
  ): number => {
    const age = millisBetween(grantedAt, clock.now())
    if (age > millisBetween(grantedAt, notAfter) / 2) return 0
    return isEpisodeAtHand(episode) ? 1 : 2
  }

  /** Many items name few episodes: each is looked up once for a list. */
  const atHandNow = () => {
    const known = new Map<string, boolean>()
    return (episode: string): boolean => {
      const found = known.get(episode)
      if (found !== undefined) return found
      const media = mediaOf(row(viewStore, episodes, is('episode', episode)))
      const atHand = media !== undefined && isAtHand(media)
      known.set(episode, atHand)
      return atHand
    }
  }

  return {
    waiting: (): readonly LeaseRow[] => {
      const waiting = rows(viewStore, leases, {
        where: [is('state', 'waiting'), { column: 'notAfter', is: '>', value: clock.now() }],
        orderBy: [{ column: 'grantedAt' }],
        limit: maxRead,
      })
      const isEpisodeAtHand = atHandNow()
      return waiting
        .map((row) => ({ row, rank: rankOf(row, isEpisodeAtHand) }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ row }) => row)
    },
    /** The latest first: it is the one that a repeated request most likely means. */
    takenBy: ({ researcher, formerly = researcher }: Researcher): readonly LeaseRow[] =>
      rows(viewStore, leases, {
        where: [
          is('state', 'taken'),
          { column: 'deadline', is: '>', value: clock.now() },
          { column: 'researcher', is: 'in', value: [researcher, formerly] },
        ],
        orderBy: [{ column: 'takenAt', descending: true }],
        limit: maxRead,
      }),
  }
}

/** Undefined if it was withdrawn, or nobody has curated it. */
export const mediaOf = (
  curated: Pick<RowOf<typeof episodes>, 'withdrawnAt' | 'mediaUri' | 'mediaType' | 'foreign'> | undefined,
): Media | undefined =>
  curated && !curated.withdrawnAt && curated.mediaUri
    ? {
        uri: curated.mediaUri,
        type: curated.mediaType ?? '',
        ...(curated.foreign === 1 && { foreign: true }),
      }
    : undefined
