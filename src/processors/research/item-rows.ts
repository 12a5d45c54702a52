import { is, row, rows } from '../../domain/kernel/read-views.ts'
import { millisBetween } from '../../domain/kernel/time.ts'
import type { RowOf, Views } from '../../domain/kernel/view.ts'
import type { Media } from '../../domain/research/terms.ts'
import { episodes, leases } from '../../domain/research/views.ts'
import type { Clock } from '../../ports/clock.ts'

export interface ItemRowsDependencies {
  readonly viewStore: Pick<Views, 'query'>
  readonly clock: Clock
  /** Need this media not be fetched? Such items go first (X12). */
  readonly isAtHand: (media: Media) => boolean
}

/** Items looked at when one is chosen: more do not wait, unless researchers are away. */
const maxRead = 100

export type LeaseRow = RowOf<typeof leases>

/** Leases as the views show them, in the order in which somebody should have their items. */
export const itemRows = ({ viewStore, clock, isAtHand }: ItemRowsDependencies) => {
  /** The oldest first; what is at hand before it, but not for ever. */
  const rankOf = (
    { episode, grantedAt, notAfter }: LeaseRow,
    isEpisodeAtHand: (episode: string) => boolean,
  ): number => {
    const age = millisBetween(grantedAt, clock.now())
    if (age > millisBetween(grantedAt, notAfter) / 2) return 0
    return isEpisodeAtHand(episode) ? 1 : 2
  }

  /** Many items are of few episodes: each is looked up once in a look. */
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
    /** The latest first: it is what is most likely asked for again. */
    takenBy: (researcher: string): readonly LeaseRow[] =>
      rows(viewStore, leases, {
        where: [
          is('state', 'taken'),
          { column: 'deadline', is: '>', value: clock.now() },
          is('researcher', researcher),
        ],
        orderBy: [{ column: 'takenAt', descending: true }],
        limit: maxRead,
      }),
  }
}

/** Undefined where it was withdrawn, or nobody has curated it. */
export const mediaOf = (
  curated: Pick<RowOf<typeof episodes>, 'withdrawnAt' | 'mediaUri' | 'mediaType'> | undefined,
): Media | undefined =>
  curated && !curated.withdrawnAt && curated.mediaUri
    ? { uri: curated.mediaUri, type: curated.mediaType ?? '' }
    : undefined
