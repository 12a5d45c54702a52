import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { categoryOf, idOf } from '../../kernel/event.ts'
import { type ClipEvent, clipEvents } from '../clip/events.ts'
import { type DeskEvent, deskEvents } from '../desk/events.ts'
import { episodeEvents } from '../episode/events.ts'
import { researcherEvents } from '../researcher/events.ts'
import { clipCategory, deskStream, episodeCategory, researcherCategory } from '../terms.ts'
import type { BoardState } from './board-state.ts'
import { foldEpisode, foldResult, Result } from './fold-episode.ts'

/** A sentence where it cannot be read. What other streams tell is none of the board's business. */
export const fold = (board: BoardState, event: RecordedEvent): string | undefined => {
  const { stream } = event
  switch (categoryOf(stream)) {
    case episodeCategory:
      if (!isPlainResult(event))
        return take(episodeEvents.read(event), (read) => foldEpisode(board, idOf(stream), read))
      foldResult(board, idOf(stream), event.data)
      return undefined
    case clipCategory:
      return take(clipEvents.read(event), (read) => foldClip(board, idOf(stream), read))
    case researcherCategory:
      return take(researcherEvents.read(event), (read) => board.presence.fold(idOf(stream), read))
    default:
      return stream === deskStream ? take(deskEvents.read(event), (read) => foldDesk(board, read)) : undefined
  }
}

/** In its present shape, as far as the board looks; any other result is read as every event is. */
const isPlainResult = (event: RecordedEvent): event is RecordedEvent & { data: t.TypeOf<typeof Result> } =>
  event.type === 'ClipResearched' &&
  event.metadata.schema === episodeEvents.schemaOf(event.type) &&
  Result.is(event.data)

const take = <E>(read: Either<string, E>, use: (event: E) => void): string | undefined => {
  if (isLeft(read)) return read.left
  use(read.right)
  return undefined
}

const foldClip = (board: BoardState, id: string, event: ClipEvent): void => {
  const clip = board.clip(id)
  switch (event.type) {
    case 'ClipFailed':
      board.failClip(clip, event.data.retryAt)
      break
    case 'Retried':
      board.forgetClipFailure(clip)
      break
    default:
      board.curateClip(clip, event)
      break
  }
}

const foldDesk = (board: BoardState, { type, data }: DeskEvent): void => {
  switch (type) {
    case 'PolicySet':
      board.setPolicy(data.version, data.policy, data.at)
      break
    case 'AssigningPaused':
    case 'AssigningResumed':
      board.paused = type === 'AssigningPaused'
      break
    case 'CuratorPinned':
    case 'CuratorUnpinned':
      placeCurator(board, board.pinnedCurators, data.curator, type === 'CuratorPinned')
      break
    case 'CuratorExcluded':
    case 'CuratorIncluded':
      placeCurator(board, board.excludedCurators, data.curator, type === 'CuratorExcluded')
      break
    case 'WaitingClipsReleased':
      board.waiting.release()
      break
    case 'ReopenRequested':
      // Each episode is told in its own stream.
      break
  }
}

const placeCurator = (board: BoardState, list: Set<string>, curator: string, isOnIt: boolean): void => {
  if (isOnIt) list.add(curator)
  else list.delete(curator)
  board.reviewCurator(curator)
}
