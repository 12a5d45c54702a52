import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { categoryOf, idOf } from '../../kernel/event.ts'
import { type ClipEvent, clipEvents } from '../clip/events.ts'
import { episodeEvents } from '../episode/events.ts'
import { type PolicyEvent, policyEvents } from '../policy/events.ts'
import { researcherEvents } from '../researcher/events.ts'
import { clipCategory, episodeCategory, policyStream, researcherCategory } from '../terms.ts'
import { foldEpisode, foldResult, Result } from './fold-episode.ts'
import type { SchedulerModel } from './scheduler-model.ts'

/** A sentence where the event cannot be read. Events of other streams are ignored. */
export const fold = (model: SchedulerModel, event: RecordedEvent): string | undefined => {
  const { stream } = event
  switch (categoryOf(stream)) {
    case episodeCategory:
      if (!isPlainResult(event))
        return take(episodeEvents.read(event), (read) => foldEpisode(model, idOf(stream), read))
      foldResult(model, idOf(stream), event.data)
      return undefined
    case clipCategory:
      return take(clipEvents.read(event), (read) => foldClip(model, idOf(stream), read))
    case researcherCategory:
      return take(researcherEvents.read(event), (read) => model.presence.fold(idOf(stream), read))
    default:
      return stream === policyStream
        ? take(policyEvents.read(event), (read) => foldPolicy(model, read))
        : undefined
  }
}

/** A result in its present schema, as far as the model reads it; any other is decoded as every event is. */
const isPlainResult = (event: RecordedEvent): event is RecordedEvent & { data: t.TypeOf<typeof Result> } =>
  event.type === 'ClipResearched' &&
  event.metadata.schema === episodeEvents.schemaOf(event.type) &&
  Result.is(event.data)

const take = <Event>(read: E.Either<string, Event>, use: (event: Event) => void): string | undefined => {
  if (E.isLeft(read)) return read.left
  use(read.right)
  return undefined
}

const foldClip = (model: SchedulerModel, id: string, event: ClipEvent): void => {
  const clip = model.clip(id)
  switch (event.type) {
    case 'ClipFailed':
      model.failClip(clip, event.data.retryAt)
      break
    case 'Retried':
      model.forgetClipFailure(clip)
      break
    default:
      model.curateClip(clip, event)
      break
  }
}

const foldPolicy = (model: SchedulerModel, { type, data }: PolicyEvent): void => {
  switch (type) {
    case 'PolicySet':
      model.setPolicy(data.version, data.policy, data.at)
      break
    case 'AssigningPaused':
    case 'AssigningResumed':
      model.paused = type === 'AssigningPaused'
      break
    case 'CuratorPinned':
    case 'CuratorUnpinned':
      placeCurator(model, model.pinnedCurators, data.curator, type === 'CuratorPinned')
      break
    case 'CuratorExcluded':
    case 'CuratorIncluded':
      placeCurator(model, model.excludedCurators, data.curator, type === 'CuratorExcluded')
      break
    case 'WaitingClipsReleased':
      model.waiting.release()
      break
    case 'ReopenRequested':
      // Each episode has an event in its own stream.
      break
  }
}

const placeCurator = (model: SchedulerModel, list: Set<string>, curator: string, isOnIt: boolean): void => {
  if (isOnIt) list.add(curator)
  else list.delete(curator)
  model.reviewCurator(curator)
}
