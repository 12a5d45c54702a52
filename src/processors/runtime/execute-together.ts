import { isRight } from 'fp-ts/lib/Either.js'
import type { NewEvent } from '../../domain/kernel/event.ts'
import type { Writable } from '../../domain/kernel/writable.ts'
import type { Appended, EventStore } from '../../ports/event-store.ts'
import { type CommandEnvelope, decideCommand } from './decide-command.ts'
import { note } from './handled.ts'
import type { Route } from './processor.ts'
import type { StreamState, StreamStates } from './stream-states.ts'

/** A command with its decider. */
export interface Planned {
  readonly decider: Route['decider']
  readonly envelope: CommandEnvelope<never>
}

/** The outcome of a command that leaves nothing but its events. */
export type PlainResult = 'done' | 'repeated' | 'unchanged'

/**
 * Decides many commands in turn, and appends all their events in one call: one promise a batch, where `Execute` takes
 * several a command. Results are in the same order. Undefined for a command that is no plain case (a rejection, a
 * conflict, a bug, an unavailable log), and for all after it on its stream: these had no effect. `Execute` is for them,
 * and reports why. Never rejects.
 */
export type ExecuteTogether = (commands: readonly Planned[]) => Promise<readonly (PlainResult | undefined)[]>

type AppendEach = NonNullable<EventStore['appendEach']>

/**
 * A cached or presumed state needs no reading. If it may be the reason for an undefined result, the stream is read
 * after all.
 */
export const togetherExecutor =
  (appendEach: AppendEach, states: StreamStates): ExecuteTogether =>
  async (commands) => {
    const runs = await runsOf(states, commands)
    const results = await execute(appendEach, states, runs, commands)
    if (!results.includes(undefined)) return results
    const unsure = commands.flatMap((_, i) =>
      results[i] === undefined && runs.ofCommands[i]?.isRead === false ? [i] : [],
    )
    if (unsure.length === 0) return results
    const some = unsure.map((i) => commands[i]!)
    const again = await execute(appendEach, states, await runsRead(states, some), some)
    const better = new Map(unsure.map((i, n) => [i, again[n]]))
    return results.map((result, i) => result ?? better.get(i))
  }

const execute = async (
  appendEach: AppendEach,
  states: StreamStates,
  { ofCommands, ofStreams }: Runs,
  commands: readonly Planned[],
): Promise<readonly (PlainResult | undefined)[]> => {
  const results = commands.map((command, i) => decideNext(ofCommands[i], command))
  await write(
    appendEach,
    states,
    ofStreams.filter(({ events }) => events.length > 0),
  )
  return results.map((result, i) => {
    const run = ofCommands[i]
    if (!run || run.failed) return undefined
    if (result === 'done') note(run.before.handled, commands[i]!.envelope)
    return result
  })
}

/** The commands of one stream, decided in turn. */
interface Run {
  readonly stream: string
  /** State of the stream before them. */
  readonly before: StreamState<never>
  /** It was read just now: no append is needed to find out whether it is stale. */
  readonly isRead: boolean
  /** The events of the commands, and the state after them. */
  events: readonly NewEvent[]
  state: never
  correlationId: string | undefined
  /** No further command is decided. */
  isOver: boolean
  /** The events were not written. */
  failed: boolean
}

interface Runs {
  /** In the order of the commands; undefined if the stream could not be read. */
  readonly ofCommands: readonly (Run | undefined)[]
  readonly ofStreams: readonly Run[]
}

/** Streams whose state is neither cached nor presumed are read together. */
const runsOf = async (states: StreamStates, commands: readonly Planned[]): Promise<Runs> => {
  const runs = new Map<string, Run>()
  const unknown: Planned[] = []
  const ofCommands = commands.map((command) => {
    const { decider, envelope } = command
    const { stream } = envelope
    const begun = runs.get(stream)
    if (begun) return begun
    const presumed = states.presumed(decider, stream)
    if (!presumed) return void unknown.push(command)
    const run = runFrom(stream, presumed, false)
    runs.set(stream, run)
    return run
  })
  if (unknown.length === 0) return { ofCommands, ofStreams: [...runs.values()] }
  for (const run of (await runsRead(states, unknown)).ofStreams) runs.set(run.stream, run)
  return runsBy(runs, commands)
}

const runsRead = async (states: StreamStates, commands: readonly Planned[]): Promise<Runs> => {
  const wanted = new Map(commands.map(({ decider, envelope }) => [envelope.stream, decider]))
  const runs = new Map<string, Run>()
  for (const [stream, state] of await states.loadEach(wanted)) runs.set(stream, runFrom(stream, state, true))
  return runsBy(runs, commands)
}

const runsBy = (runs: ReadonlyMap<string, Run>, commands: readonly Planned[]): Runs => ({
  ofCommands: commands.map(({ envelope }) => runs.get(envelope.stream)),
  ofStreams: [...runs.values()],
})

const runFrom = (stream: string, before: StreamState<never>, isRead: boolean): Run => ({
  stream,
  before,
  isRead,
  events: [],
  state: before.state,
  correlationId: before.correlationId,
  isOver: false,
  failed: false,
})

const decideNext = (run: Run | undefined, { decider, envelope }: Planned): PlainResult | undefined => {
  if (!run || run.isOver) return undefined
  try {
    const result = decideIn(run, decider, envelope)
    run.isOver = result === undefined
    return result
  } catch {
    // `Execute` decides it again, and reports the error.
    run.isOver = true
    return undefined
  }
}

const decideIn = (
  run: Run,
  decider: Planned['decider'],
  envelope: CommandEnvelope<never>,
): PlainResult | undefined => {
  const { before, isRead, events, state } = run
  const { causationId } = envelope
  if (events.length > 0 && events.some(({ metadata }) => metadata.causationId === causationId))
    return 'repeated'
  const correlationId = envelope.correlationId ?? run.correlationId ?? causationId
  const { handled } = before
  const decided = decideCommand(decider, envelope, correlationId, { state, handled })
  switch (decided.kind) {
    case 'repeated':
      return 'repeated'
    case 'rejected':
      return undefined
    case 'unchanged':
      // Only an append shows that a state is stale.
      return isRead || events.length > 0 ? 'unchanged' : undefined
    case 'events':
      run.events = events.length === 0 ? decided.stored : [...events, ...decided.stored]
      run.state = decided.state
      run.correlationId = correlationId
      return 'done'
  }
}

/** Appends once a stream: all of its commands have their effect, or none. */
const write = async (appendEach: AppendEach, states: StreamStates, runs: readonly Run[]): Promise<void> => {
  if (runs.length === 0) return
  const appends = runs.map(({ stream, before: { revision }, events }) => {
    const expected = revision < 0n ? ('none' as const) : revision
    return { stream, expected, events }
  })
  const answer = await appendEach(appends)().catch(() => undefined)
  const written = answer && isRight(answer) ? answer.right : []
  runs.forEach((run, i) => {
    const appended = written[i]
    if (appended && isRight(appended)) keep(states, run, appended.right)
    else run.failed = true
  })
}

const keep = (states: StreamStates, run: Run, { revision, position }: Appended): void => {
  const { stream, state, before, correlationId } = run
  const { handled } = before
  const kept: Writable<StreamState<never>> = { state, revision, position, handled }
  if (correlationId !== undefined) kept.correlationId = correlationId
  states.keep(stream, kept)
}
