import { isLeft } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import { executor } from '#src/processors/runtime/execute.ts'
import type { Route } from '#src/processors/runtime/processor.ts'
import { streamStates } from '#src/processors/runtime/stream-states.ts'
import { fakeClock } from '../fakes/clock.ts'
import { fakeEventStore } from '../fakes/event-store.ts'

/** What every world of processors stands on: a clock, a log, and commands that are decided on it. */
export const deciding = (start?: string) => {
  const clock = fakeClock(start)
  const eventStore = fakeEventStore({ now: clock.now })
  const states = streamStates(eventStore)
  const execute = executor(eventStore, states)
  let causes = 0

  const run = async (route: Route, causationId = `cause ${causes++}`) => {
    const outcome = await execute(route.decider, {
      stream: route.stream,
      command: route.command as never,
      causationId,
      correlationId: causationId,
    })
    if (isLeft(outcome)) throw new Error(JSON.stringify(outcome.left))
    return outcome.right
  }

  const eventsOf = async (stream: string): Promise<readonly RecordedEvent[]> => {
    const read = await eventStore.read(stream, 'start', 'forward', 1000)()
    if (isLeft(read)) throw new Error(JSON.stringify(read.left))
    return read.right
  }

  return { clock, eventStore, states, execute, log: pino({ level: 'silent' }), run, eventsOf }
}
