import { is, row } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { ClipId, EpisodeId } from '../../../domain/research/terms.ts'
import { clipResults, clips, episodeResults, episodes } from '../../../domain/research/views.ts'
import type { Field } from '../../runtime/field.ts'
import type { QuestionRejection, RejectionSpec } from '../../runtime/question.ts'

/* Inputs that name an episode or a clip, and the rejection of unknown ones. */

export const ofEpisode = {
  description: 'Of this episode alone.',
  codec: EpisodeId,
  value: 'id',
} as const satisfies Field
export const ofClip = {
  description: 'Of this clip alone.',
  codec: ClipId,
  value: 'id',
} as const satisfies Field

export const unknownEpisode = {
  'no-such-episode': {
    status: 404,
    description: 'Nothing is known of the episode.',
    dated: 'command-line',
  },
} as const satisfies Record<string, RejectionSpec>

export const unknownSubject = {
  ...unknownEpisode,
  'no-such-clip': { status: 404, description: 'Nothing is known of the clip.', dated: 'command-line' },
} as const satisfies Record<string, RejectionSpec>

interface Named {
  readonly episode?: string | undefined
  readonly clip?: string | undefined
}

type Subject = 'episode' | 'clip'

/** The first of the named ids that nobody has curated and no result names. */
export const unknownOf = (
  views: Views,
  { episode, clip }: Named,
): QuestionRejection<`no-such-${Subject}`> | undefined => {
  if (episode !== undefined && !knowsEpisode(views, episode)) return unknown('episode', episode)
  return clip !== undefined && !knowsClip(views, clip) ? unknown('clip', clip) : undefined
}

const unknown = <Of extends Subject>(subject: Of, id: string): QuestionRejection<`no-such-${Of}`> => ({
  code: `no-such-${subject}`,
  message: `nothing is known of the ${subject} ${id}`,
  path: subject,
  ids: [id],
  hint: `\`fonds research ${subject}s\` lists all`,
})

export const unknownEpisodeOf = (
  views: Views,
  episode: string,
): QuestionRejection<'no-such-episode'> | undefined =>
  knowsEpisode(views, episode) ? undefined : unknown('episode', episode)

const knowsEpisode = (views: Views, id: string): boolean =>
  [episodes, episodeResults].some((view) => row(views, view, is('episode', id)) !== undefined)

const knowsClip = (views: Views, id: string): boolean =>
  [clips, clipResults].some((view) => row(views, view, is('clip', id)) !== undefined)
