import { isLeft } from 'fp-ts/lib/Either.js'
import { onTestFinished } from 'vitest'
import { readMessage } from '#src/domain/kernel/cloud-event.ts'
import type { Command, Decider } from '#src/domain/kernel/decider.ts'
import type { DomainEvent } from '#src/domain/kernel/event.ts'
import type { Message, TopicSpec } from '#src/domain/kernel/message.ts'
import type { Rejection } from '#src/domain/kernel/rejection.ts'
import type { Processor, Route } from '#src/processors/runtime/processor.ts'
import { routeTo } from '#src/processors/runtime/route.ts'
import { research } from '#src/projections/research/projection.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { openTestViews } from '../../fakes/views.ts'
import { deciding } from '../deciding.ts'

export const start = '2026-01-31T12:00:00.000Z'

/** The smallest world in which messages become facts: a log and a clock. */
export const intakeWorld = () => {
  const world = deciding(start)
  const { run, eventsOf } = world

  return {
    ...world,
    /** A person's or machine's command, decided now. */
    give: <S, C extends Command, E extends DomainEvent, R extends Rejection>(
      decider: Decider<S, C, E, R, unknown>,
      stream: string,
      command: C,
    ) => run(routeTo(decider, stream, command)),
    /** A message on its way through a processor: types of the events it led to, or the code of the rejection, a route each. */
    take: async (processor: Processor, message: Message): Promise<readonly (readonly string[])[]> => {
      const [routes] = await processor.route([message])
      const outcomes: string[][] = []
      for (const route of routes!) {
        const outcome = await run(route, message.id)
        if (outcome.kind === 'rejected') outcomes.push([outcome.rejection.code])
        else outcomes.push(outcome.kind === 'done' ? outcome.events.map(({ type }) => type) : [])
      }
      return outcomes
    },
    typesOf: async (stream: string) => (await eventsOf(stream)).map(({ type }) => type),
  }
}

export type IntakeWorld = ReturnType<typeof intakeWorld>

/** The views of research, folded when a test says so. */
export const viewsOf = ({ eventStore }: Pick<IntakeWorld, 'eventStore'>) => {
  const viewStore = openTestViews()
  onTestFinished(() => viewStore.close())
  return { viewStore, fold: () => catchUp({ eventStore, viewStore, projections: [research] }) }
}

/** A sighting of an episode or clip, for `give`. */
export const sighting = {
  type: 'Curate',
  details: {
    title: 'Episode',
    mediaUri: 'https://media.example/e.mp3',
    mediaType: 'audio/mpeg',
    curator: 'podcast-feed',
  },
  curatedAt: start,
} as const

/** A message as its topic reads it; the example of its type with `data` in it. */
export const messageOn = (
  topic: TopicSpec,
  type: string,
  data: object = {},
  { id = 'm1', time }: { readonly id?: string; readonly time?: string } = {},
): Message => {
  const { example } = topic.messages.find((spec) => spec.type === type)!
  const said = { ...example, ...data }
  const message = readMessage(
    {
      log: 'test',
      topic: topic.name,
      partition: 0,
      offset: 0n,
      key: topic.keyOf(said),
      headers: {
        ce_specversion: '1.0',
        ce_id: id,
        ce_source: 'https://producer.example',
        ce_type: type,
        ...(time !== undefined && { ce_time: time }),
      },
      value: JSON.stringify(said),
      timestamp: start,
    },
    topic,
  )
  if (isLeft(message)) throw new Error(message.left.message)
  return message.right
}

/** The commands that a message becomes. */
export const routesOf = async (processor: Processor, message: Message): Promise<readonly Route[]> => {
  const [routes] = await processor.route([message])
  return routes ?? []
}
