import type { SchedulerModel } from './scheduler-model.ts'
import type { Choice } from './scheduler-state.ts'

interface Numbers {
  readonly episode: number
  readonly clips: readonly number[]
}

/** The first episode that has an open clip, and its first open clips (L10 to L23). */
export const select = (model: SchedulerModel): Choice | undefined => {
  const chosen = choose(model)
  return chosen && named(model, chosen)
}

/** Each choice is closed while the next is made; all are opened again. */
export const upcoming = (model: SchedulerModel, max: number): readonly Choice[] => {
  const choices: Numbers[] = []
  while (choices.length < max) {
    const chosen = choose(model)
    if (!chosen) break
    model.pairs.close(chosen.episode, chosen.clips)
    choices.push(chosen)
  }
  for (const { episode, clips } of choices) model.openUnlessKept(episode, clips)
  return choices.map((chosen) => named(model, chosen))
}

const choose = ({ pairs, clipOrder, episodeOrder, policy }: SchedulerModel): Numbers | undefined => {
  const episode = episodeOrder.first(pairs.counted)
  if (episode === undefined) return undefined
  const open = pairs.counted - pairs.closedCount(episode)
  return { episode, clips: clipOrder.pick(episode, pairs.closedOf(episode), open, policy.maxClips) }
}

const named = ({ episodes, clips }: SchedulerModel, chosen: Numbers): Choice => ({
  episode: episodes.at(chosen.episode).id,
  clips: chosen.clips.map((clip) => clips.at(clip).id),
})
