import type { Choice } from './board.ts'
import type { BoardState } from './board-state.ts'

interface Numbers {
  readonly episode: number
  readonly clips: readonly number[]
}

/** The first episode that has an open clip, and its first open clips (L10 to L23). */
export const select = (board: BoardState): Choice | undefined => {
  const chosen = choose(board)
  return chosen && named(board, chosen)
}

/** Each choice is taken off the board while the next is made, and all are put back. */
export const upcoming = (board: BoardState, most: number): readonly Choice[] => {
  const choices: Numbers[] = []
  while (choices.length < most) {
    const chosen = choose(board)
    if (!chosen) break
    board.pairs.close(chosen.episode, chosen.clips)
    choices.push(chosen)
  }
  for (const { episode, clips } of choices) board.openUnlessKept(episode, clips)
  return choices.map((chosen) => named(board, chosen))
}

const choose = ({ pairs, clipOrder, episodeOrder, policy }: BoardState): Numbers | undefined => {
  const episode = episodeOrder.first(pairs.counted)
  if (episode === undefined) return undefined
  const open = pairs.counted - pairs.closedCount(episode)
  return { episode, clips: clipOrder.pick(episode, pairs.closedOf(episode), open, policy.maxClips) }
}

const named = ({ episodes, clips }: BoardState, chosen: Numbers): Choice => ({
  episode: episodes.at(chosen.episode).id,
  clips: chosen.clips.map((clip) => clips.at(clip).id),
})
