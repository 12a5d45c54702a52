import type { Board } from '../../domain/research/selection/board.ts'
import { boardName, bringUp, type LoadedBoard, loadBoard } from '../../processors/research/board-load.ts'
import type { ApiContext } from '../context.ts'

/** Asks a board that knows all that the log says now; whoever asks must not fold anything into it. */
export type AskBoard = <A>(signal: AbortSignal, ask: (board: Board) => A) => Promise<A>

/** The board stays in memory between questions. One at a time: it is brought up to date for one after the other. */
export const keptBoard = ({ system: { eventStore, snapshots } }: ApiContext): AskBoard => {
  let kept: LoadedBoard | undefined
  let last: Promise<unknown> = Promise.resolve()

  return (signal, ask) => {
    const answer = last.then(async () => {
      const loaded = kept ?? (await loadBoard(boardName, eventStore, snapshots, signal))
      // What fails in the middle is begun anew.
      kept = undefined
      await bringUp(loaded, eventStore, signal)
      const found = ask(loaded.board)
      kept = loaded
      return found
    })
    last = answer.catch(() => undefined)
    return answer
  }
}
