import { type Either, right } from 'fp-ts/lib/Either.js'
import type { Board } from '../../domain/research/selection/board.ts'
import {
  boardName,
  bringUp,
  type LoadedBoard,
  loadBoard,
  timeOf,
} from '../../processors/research/board-load.ts'
import type { Point } from '../../projections/runtime/catch-up.ts'
import type { ApiContext } from '../context.ts'
import type { DetailedProblem } from '../http/refuse.ts'

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

/** Asks a board as it was at a point of the log; `then` is the time of that. */
export const askPastBoard = async <A>(
  { system: { eventStore, snapshots, clock }, fewAtOnce }: ApiContext,
  at: Point,
  signal: AbortSignal,
  ask: (board: Board, then: string) => A,
): Promise<Either<DetailedProblem, A>> =>
  fewAtOnce(async () => {
    const loaded = await loadBoard(boardName, eventStore, snapshots, signal, { until: at })
    return right(ask(loaded.board, timeOf(at, loaded, clock.now())))
  })
