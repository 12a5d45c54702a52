import { millisBetween } from '../../domain/kernel/time.ts'
import type { Media } from '../../domain/research/terms.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Row, ViewStore } from '../../ports/view-store.ts'

export interface ItemRowsDependencies {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly clock: Clock
  /** Need this media not be fetched? Such items go first (X12). */
  readonly isAtHand: (media: Media) => boolean
}

/** Items looked at when one is chosen: more do not wait, unless researchers are away. */
const mostLooked = 100

/** Leases as the views show them, in the order in which somebody should have their items. */
export const itemRows = ({ viewStore, clock, isAtHand }: ItemRowsDependencies) => {
  const byKey = rowByKey(viewStore)

  /** The oldest first; what is at hand before it, but not for ever. */
  const rankOf = (
    { episode, grantedAt, notAfter }: Row,
    isEpisodeAtHand: (episode: string) => boolean,
  ): number => {
    const age = millisBetween(grantedAt as string, clock.now())
    if (age > millisBetween(grantedAt as string, notAfter as string) / 2) return 0
    return isEpisodeAtHand(episode as string) ? 1 : 2
  }

  /** Many items are of few episodes: each is looked up once in a look. */
  const atHandNow = () => {
    const known = new Map<string, boolean>()
    return (episode: string): boolean => {
      const found = known.get(episode)
      if (found !== undefined) return found
      const media = mediaOf(byKey('research-episodes', 'episode', episode))
      const atHand = media !== undefined && isAtHand(media)
      known.set(episode, atHand)
      return atHand
    }
  }

  return {
    waiting: (): readonly Row[] => {
      const rows = viewStore.query('research-leases', {
        where: [
          { column: 'state', is: '=', value: 'waiting' },
          { column: 'notAfter', is: '>', value: clock.now() },
        ],
        orderBy: [{ column: 'grantedAt' }],
        limit: mostLooked,
      })
      const isEpisodeAtHand = atHandNow()
      return rows
        .map((row) => ({ row, rank: rankOf(row, isEpisodeAtHand) }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ row }) => row)
    },
    /** The latest first: it is what is most likely asked for again. */
    takenBy: (researcher: string): readonly Row[] =>
      viewStore.query('research-leases', {
        where: [
          { column: 'state', is: '=', value: 'taken' },
          { column: 'deadline', is: '>', value: clock.now() },
          { column: 'researcher', is: '=', value: researcher },
        ],
        orderBy: [{ column: 'takenAt', descending: true }],
        limit: mostLooked,
      }),
  }
}

export const rowByKey =
  (viewStore: Pick<ViewStore, 'query'>) =>
  (view: string, column: string, value: string): Row | undefined =>
    viewStore.query(view, { where: [{ column, is: '=', value }], limit: 1 })[0]

/** Undefined where it was withdrawn, or nobody has curated it. */
export const mediaOf = (row: Row | undefined): Media | undefined =>
  row && !row.withdrawnAt && row.mediaUri
    ? { uri: row.mediaUri as string, type: row.mediaType as string }
    : undefined
