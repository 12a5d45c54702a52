import { estimatedBytes, recentCache } from '@fonds/toolbox'
import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow, UnavailableError, unavailable } from '../../async/unavailable.ts'
import { causeOf, type Message } from '../../domain/kernel/message.ts'
import { heldOf, heldVersion, type MarkGraph, mergedDecider } from '../../domain/matching/merged/decide.ts'
import type { Document } from '../../domain/matching/merged/document.ts'
import { mergedStream } from '../../domain/matching/merged/events.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { Execute } from '../runtime/execute.ts'
import { InvalidMessageError } from '../runtime/invalid-message-error.ts'
import { invalidBy } from '../runtime/outcomes.ts'
import { streamStates } from '../runtime/stream-states.ts'
import type { ChangeReader } from './change-reader.ts'
import type { MergeTask } from './merge-task.ts'
import { type Contents, worksToWrite } from './works-to-write.ts'

export interface MarkDependencies {
  readonly eventStore: EventStore
  readonly execute: Execute
  readonly clock: Clock
  /** Bytes that all caches of a merger take together. */
  readonly cacheBytes?: number
}

/**
 * Documents of a component that a merge writes, besides that of the component's first work, which the mark may bring.
 */
export interface Marked {
  readonly writes: (work: string) => boolean
}

/**
 * Marks the component of a task with the task's version. Returns which of its documents are to be written after that.
 * `outdated`: the component, or one that its first work went into, is of a later version. Throws `UnavailableError`.
 */
export type MarkComponent = (
  task: MergeTask,
  documents: ReadonlyMap<string, Document>,
  message: Message,
) => Promise<Marked | 'outdated'>

/** Most attempts while others mark the same component: even two are rare. */
const maxTries = 20
/** Characters of the ids that a mark names: besides the largest document there is no room for more. */
const maxNamedCharacters = 10_000

/** `processor`: the actor of the marks. */
export const createGraphMarks = (
  processor: string,
  { eventStore, execute, clock }: Omit<MarkDependencies, 'cacheBytes'>,
  changes: ChangeReader,
  maxWrittenWhole: number,
  cacheBytes: number,
): MarkComponent => {
  const states = streamStates(eventStore, cacheBytes / 2)
  const known = recentCache<{ readonly revision: bigint; readonly contents: Contents }>(
    cacheBytes / 2,
    estimatedBytes,
  )

  const commandOf = (
    { version, generation, component, revision, size }: MergeTask,
    written: readonly string[] | undefined,
    documents: ReadonlyMap<string, Document>,
  ): MarkGraph => ({
    type: 'MarkGraph',
    work: component,
    generation,
    version,
    revision,
    size,
    written,
    document: !written || written.includes(component) ? documents.get(component) : undefined,
    actor: processor,
    at: clock.now(),
  })

  return async (task, documents, message) => {
    const { generation, component, version } = task
    const stream = mergedStream(component)
    const key = `${generation}/${component}`
    const wanted: Contents = new Map(
      [...documents].map(([work, document]) => [work, JSON.stringify(document)]),
    )
    const marked = (written: ReadonlySet<string> | undefined): Marked => ({
      writes: (work) => work !== component && (!written || written.has(work)),
    })

    for (let tries = 0; tries < maxTries; tries++) {
      const head = await orThrow(() => states.load(mergedDecider, stream))
      const held = heldOf(head.state, generation)
      if (heldVersion(held) > version) return 'outdated'
      const mark = held?.mark
      if (mark?.version === version) return marked(mark.written && new Set(mark.written))

      const seen = known.get(key)
      const contents = seen?.revision === head.revision ? seen.contents : undefined
      const written =
        mark &&
        (await worksToWrite({ task, mark, wanted, known: contents, maxWrittenWhole }, changes, states))
      const command = commandOf(task, namedIn(written), documents)
      const outcome = await execute(mergedDecider, {
        stream,
        command,
        causationId: causeOf(message),
        correlationId: message.correlationId ?? message.id,
        expected: head.revision,
      })
      if (isLeft(outcome)) {
        if (outcome.left.kind === 'Contended') continue
        if (outcome.left.kind === 'Unavailable') throw unavailable(outcome.left)
        const { reason, message: why, path } = invalidBy(outcome.left)
        throw new InvalidMessageError(reason, why, path)
      }
      if (outcome.right.kind !== 'done') continue
      known.set(key, { revision: outcome.right.revision, contents: wanted })
      return marked(command.written && new Set(command.written))
    }
    throw new UnavailableError(`${stream}: other processes are marking it, too; retrying`)
  }
}

/** Returns undefined, which stands for all, if the ids are too long to be named. */
const namedIn = (written: ReadonlySet<string> | undefined): readonly string[] | undefined => {
  if (!written) return undefined
  const characters = [...written].reduce((sum, work) => sum + work.length, 0)
  return characters > maxNamedCharacters ? undefined : [...written]
}
