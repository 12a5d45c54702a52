import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { ifDeleted, orThrow } from '../../async/unavailable.ts'
import type { Message, TopicSpec } from '../../domain/kernel/message.ts'
import { generationsDecider } from '../../domain/matching/generations/decide.ts'
import { generationsStream } from '../../domain/matching/generations/events.ts'
import { type Generations, initial } from '../../domain/matching/generations/state.ts'
import type { Member } from '../../domain/matching/graph/events.ts'
import { mergedDecider } from '../../domain/matching/merged/decide.ts'
import type { Document } from '../../domain/matching/merged/document.ts'
import { mergedStream } from '../../domain/matching/merged/events.ts'
import {
  type GraphChangedMessage,
  graphsTopic,
  largeGraphsTopic,
  maxMergedTogether,
} from '../../domain/matching/messages.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { InvalidMessageError } from '../runtime/invalid-message-error.ts'
import type { Processor, Route } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'
import { type StreamStates, streamStates } from '../runtime/stream-states.ts'
import { type ChangeReader, createChangeReader } from './change-reader.ts'
import { createGraphMarks, type MarkDependencies } from './graph-marks.ts'
import { createMergeComponents } from './merge-components.ts'
import { type MergeTask, mergeTaskOf, withoutOutdated } from './merge-task.ts'

interface MergerDependencies extends MarkDependencies {
  readonly viewStore: Pick<ViewStore, 'query'>
}

/** Components of up to so many works are written whole: to determine what changes in them would cost more. */
const maxWrittenWhole = 16

/**
 * Writes the documents of the works of changed graphs, each at the version of the change (M4), in any order and however
 * often the messages come (M10): the stream of each work keeps the newest. A message counts only if the log agrees.
 */
export const merger = (deps: MergerDependencies, limit = maxWrittenWhole): Processor =>
  createMerger('merger', graphsTopic, ({ size }) => size <= maxMergedTogether, deps, limit)

/** The same for large components, which have a topic of their own, so that others do not wait for them. */
export const largeMerger = (deps: MergerDependencies): Processor =>
  createMerger(
    'large-merger',
    largeGraphsTopic,
    ({ size }) => size > maxMergedTogether,
    deps,
    maxWrittenWhole,
  )

const defaultCacheBytes = 4 * 1024 ** 2

const createMerger = (
  processor: string,
  topic: TopicSpec,
  isMine: (message: GraphChangedMessage) => boolean,
  deps: MergerDependencies,
  maxWrittenWhole: number,
): Processor => {
  const name = `matching-${processor}`
  const { eventStore, clock, cacheBytes = defaultCacheBytes } = deps
  const changes = createChangeReader(eventStore, cacheBytes / 4)
  const states = streamStates(eventStore, cacheBytes / 8)
  const mergeComponents = createMergeComponents(deps, cacheBytes / 8)
  const mark = createGraphMarks(name, deps, changes, maxWrittenWhole, cacheBytes / 2)

  const tasksOf = async (messages: readonly GraphChangedMessage[]) => {
    const mine = messages.filter(isMine)
    const generations = await readGenerations(states)
    const read = await changes.at(mine)
    const changeOf = new Map(mine.map((message, i) => [message, read[i]]))
    return messages.map((message) =>
      isMine(message) ? mergeTaskOf(message, changeOf.get(message), generations) : undefined,
    )
  }

  const routeOf = ({ generation, version }: MergeTask, work: string, document: Document): Route =>
    routeTo(mergedDecider, mergedStream(work), {
      type: 'Index',
      work,
      generation,
      version,
      document,
      actor: name,
      at: clock.now(),
    })

  return {
    name,
    group: `fonds.matching.${processor}`,
    topics: [topic],
    route: async (messages) => {
      const tasks = await tasksOf(messages.map(({ data }) => data as GraphChangedMessage))
      const wholes = await wholeComponents(tasks, changes)
      const needed = withoutOutdated(tasks.map((task) => (task && wholes.has(task.key) ? task : undefined)))
      const documents = await mergeComponents(
        needed.filter((task) => task !== undefined),
        wholes,
      )
      const marks = new Map<string, ReturnType<typeof mark>>()
      const markOf = (task: MergeTask, merged: ReadonlyMap<string, Document>, message: Message) => {
        const marked = marks.get(task.key) ?? mark(task, merged, message)
        marks.set(task.key, marked)
        return marked
      }
      const routesOf = async (task: MergeTask | undefined, message: Message): Promise<readonly Route[]> => {
        if (!task) return []
        const merged = documents.get(task.key)!
        if (merged instanceof InvalidMessageError) throw merged
        const { works, component, size } = task
        const marked = size > maxWrittenWhole ? await markOf(task, merged, message) : undefined
        // Its first work refuses it, for all.
        if (marked === 'outdated') return [routeOf(task, component, merged.get(component)!)]
        const written = marked ? works.filter(marked.writes) : works
        return written.map((work) => routeOf(task, work, merged.get(work)!))
      }
      return Promise.all(needed.map((task, i) => routesOf(task, messages[i]!)))
    },
  }
}

const readGenerations = (states: StreamStates): Promise<Generations> =>
  pipe(
    () => states.load(generationsDecider, generationsStream),
    TE.map(({ state }) => state),
    ifDeleted(initial),
    orThrow,
  )

/** All members of the component of each task, by key; none of a change that was not published to the end. */
const wholeComponents = async (
  tasks: readonly (MergeTask | undefined)[],
  changes: ChangeReader,
): Promise<ReadonlyMap<string, readonly Member[]>> => {
  const wholes = new Map<string, readonly Member[]>()
  for (const task of tasks) {
    if (!task || wholes.has(task.key)) continue
    const { inPieces, change, component, members } = task
    if (!(await changes.isWhole(task, change))) continue
    const whole = inPieces ? await changes.wholeComponent(task, change, component) : members
    if (whole) wholes.set(task.key, whole)
  }
  return wholes
}
