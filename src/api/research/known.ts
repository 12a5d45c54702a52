import { is, row, type Views } from '../../projections/research/reading.ts'
import { clipResults, clips, episodeResults, episodes } from '../../projections/research/views.ts'

/** What a question names. */
export interface Named {
  readonly episode?: string | undefined
  readonly clip?: string | undefined
}

export interface Unknown {
  readonly subject: 'episode' | 'clip'
  readonly id: string
  readonly says: string
}

/** The first of those that are named which nobody has curated and no result names. */
export const unknownOf = (views: Views, { episode, clip }: Named): Unknown | undefined => {
  if (episode !== undefined && !knowsEpisode(views, episode)) return unknown('episode', episode)
  return clip !== undefined && !knowsClip(views, clip) ? unknown('clip', clip) : undefined
}

const unknown = (subject: Unknown['subject'], id: string): Unknown => ({
  subject,
  id,
  says: `nothing is known of the ${subject} ${id}`,
})

const knowsEpisode = (views: Views, id: string): boolean =>
  [episodes, episodeResults].some((view) => row(views, view, is('episode', id)) !== undefined)

const knowsClip = (views: Views, id: string): boolean =>
  [clips, clipResults].some((view) => row(views, view, is('clip', id)) !== undefined)
