import { isLeft } from 'fp-ts/lib/Either.js'
import { clip } from '../../domain/kernel/clip.ts'
import type { TopicSpec } from '../../domain/kernel/message.ts'
import { generationsDecider } from '../../domain/matching/generations/decide.ts'
import { generationsStream } from '../../domain/matching/generations/events.ts'
import { type Generations, initial } from '../../domain/matching/generations/state.ts'
import type { GraphChanged, Member } from '../../domain/matching/graph/events.ts'
import { mergedDecider } from '../../domain/matching/merged/decide.ts'
import { type Document, largestDocument, sizeOf } from '../../domain/matching/merged/document.ts'
import { documentsOf } from '../../domain/matching/merged/documents.ts'
import { mergedStream } from '../../domain/matching/merged/events.ts'
import type { Rules } from '../../domain/matching/merged/rules.ts'
import {
  type GraphChangedMessage,
  graphsTopic,
  largeGraphsTopic,
  mostMergedTogether,
} from '../../domain/matching/messages.ts'
import { Away } from '../../ports/away.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { planFor } from '../runtime/plan.ts'
import type { Plan, Processor } from '../runtime/processor.ts'
import { recentCache } from '../runtime/recent-cache.ts'
import { streamStates } from '../runtime/stream-states.ts'
import { UnusableMessage } from '../runtime/unusable-message.ts'
import { groupTold, unbelieved } from './believe.ts'
import { readChanges } from './changes.ts'
import { readContents } from './contents.ts'

export interface MergerDependencies {
  readonly eventStore: EventStore
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly clock: Clock
}

/** What a message asks for: documents of these works, made from the whole component. */
interface Task {
  /** Names the component as it is at this version, whichever of its pieces is told of. */
  readonly key: string
  readonly generation: number
  readonly version: number
  readonly component: string
  readonly rules: Rules
  readonly inPieces: boolean
  /** Ids of the works that this message writes. */
  readonly works: readonly string[]
}

/** Of all works of a component; or why none of them is written. */
type Documents = ReadonlyMap<string, Document> | UnusableMessage

/**
 * Changed graphs become the documents of their works, each at the version of the change (M4), in any order and however
 * often they are told (M10): the stream of each work keeps the newest. Only what the log holds is believed.
 */
export const merger = (deps: MergerDependencies): Processor =>
  mergerOf('matching-merger', graphsTopic, ({ size }) => size <= mostMergedTogether, deps)

/** The same for large components, which have a topic of their own: no other one is to wait for them. */
export const largeMerger = (deps: MergerDependencies): Processor =>
  mergerOf('matching-large-merger', largeGraphsTopic, ({ size }) => size > mostMergedTogether, deps)

const mergerOf = (
  name: string,
  topic: TopicSpec,
  isMine: (told: GraphChangedMessage) => boolean,
  deps: MergerDependencies,
): Processor => {
  const { eventStore, clock } = deps
  const changes = readChanges(eventStore)
  const states = streamStates(eventStore, 2)
  /** Of components in pieces, so that fifty pieces are not merged fifty times. */
  const largeOnes = recentCache<Documents>(4)

  async function generations(): Promise<Generations> {
    const loaded = await states.load(generationsDecider, generationsStream)
    if (!isLeft(loaded)) return loaded.right.state
    if (loaded.left.kind === 'Unavailable') throw new Away(loaded.left.reason)
    return initial
  }

  /** Undefined where nothing is to be written: nobody wants a generation any more that was dropped. */
  function taskOf(
    told: GraphChangedMessage,
    change: GraphChanged | undefined,
    known: Generations,
  ): Task | undefined {
    const { generation, version, component } = told
    const rules = known.active.get(generation)
    if (!rules && generation <= known.last) return undefined
    if (!rules) throw unbelieved(`generation ${generation} was never started`, 'generation')
    const { members, pieces } = groupTold(told, change)
    const key = `${generation}/${version}/${component}`
    return {
      key,
      generation,
      version,
      component,
      rules,
      inPieces: pieces > 1,
      works: members.map(([work]) => work),
    }
  }

  /** Members of the whole component; undefined where it was never told to the end. */
  const wholeOf = async (told: GraphChangedMessage, change: GraphChanged, { inPieces, component }: Task) =>
    inPieces ? changes.wholeOf(told, change, component) : told.members

  /** Documents of all works of each component, by its key. */
  async function merge(
    tasks: readonly Task[],
    wholes: ReadonlyMap<string, readonly Member[]>,
  ): Promise<ReadonlyMap<string, Documents>> {
    const merged = new Map<string, Documents>()
    const missing = new Map<string, Task>()
    for (const task of tasks) {
      const known = largeOnes.get(task.key)
      if (known) merged.set(task.key, known)
      else missing.set(task.key, task)
    }
    const wanted = new Map<string, number>()
    for (const key of missing.keys())
      for (const [work, revision] of wholes.get(key)!)
        wanted.set(work, Math.max(revision, wanted.get(work) ?? 0))
    const contents = await readContents(wanted, deps)
    for (const [key, { component, rules, inPieces }] of missing) {
      const members = wholes.get(key)!.map(([work]) => contents.get(work)!)
      const documents = fitting(documentsOf({ component, members }, rules))
      merged.set(key, documents)
      if (inPieces) largeOnes.set(key, documents)
    }
    return merged
  }

  const planOf = ({ generation, version }: Task, work: string, document: Document): Plan =>
    planFor(mergedDecider, mergedStream(work), {
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
    topics: [topic],
    plan: async (messages) => {
      const told = messages.map(({ data }) => data as GraphChangedMessage)
      const mine = told.filter(isMine)
      const known = await generations()
      const changed = await changes.at(mine)
      const found = new Map(mine.map((one, i) => [one, changed[i]]))
      const tasks = told.map((one) => (isMine(one) ? taskOf(one, found.get(one), known) : undefined))
      const wholes = new Map<string, readonly Member[]>()
      for (const [i, task] of tasks.entries()) {
        if (!task || wholes.has(task.key)) continue
        const members = await wholeOf(told[i]!, found.get(told[i]!)!, task)
        if (members) wholes.set(task.key, members)
      }
      const needed = withoutOutdated(tasks.map((task) => (task && wholes.has(task.key) ? task : undefined)))
      const documents = await merge(
        needed.filter((task) => task !== undefined),
        wholes,
      )
      return needed.map((task) => {
        if (!task) return []
        const merged = documents.get(task.key)!
        if (merged instanceof UnusableMessage) throw merged
        return task.works.map((work) => planOf(task, work, merged.get(work)!))
      })
    },
  }
}

/**
 * A log might take a document that no topic takes afterwards, and those behind it would wait for ever. None of the
 * component is written then: redirects to a work that did not come along would be worse than what there was.
 */
const fitting = (documents: ReadonlyMap<string, Document>): Documents => {
  for (const [work, document] of documents) {
    const bytes = document.kind === 'merged' ? sizeOf(document) : 0
    if (bytes > largestDocument)
      return new UnusableMessage(
        'too-large',
        `the document of ${clip(work, 200)} would take ${bytes} bytes, the limit is ${largestDocument}; its component stays as it was: send less in the fields of its records, or join fewer of them by the rules of another generation, then discard this`,
      )
  }
  return documents
}

/** A document that a later message of the same batch writes anew need not be made. */
const withoutOutdated = (tasks: readonly (Task | undefined)[]): readonly (Task | undefined)[] => {
  const later = new Map<string, number>()
  const needed = tasks.toReversed().map((task) => {
    if (!task) return undefined
    const { generation, version } = task
    const keyOf = (work: string) => `${generation}/${work}`
    const works = task.works.filter((work) => (later.get(keyOf(work)) ?? 0) < version)
    for (const work of works) later.set(keyOf(work), version)
    return works.length > 0 ? { ...task, works } : undefined
  })
  return needed.toReversed()
}
