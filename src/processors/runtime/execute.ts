import { type Either, isLeft, isRight, left, right } from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../domain/kernel/decider.ts'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type {
  Appended,
  AppendFailure,
  Contended,
  EventStore,
  ReadFailure,
  StreamAppend,
} from '../../ports/event-store.ts'
import type { Correlated } from '../../ports/task-queue.ts'
import type { CommandEnvelope } from './decide-command.ts'
import { type DecidedRun, decideRun, type Planned, stateAfter } from './decide-run.ts'
import type { StreamState, StreamStates, Thrown } from './stream-states.ts'

/** Has a correlation id if the envelope named none. */
export type Executed<E extends DomainEvent, R extends Rejection, Result = unknown> =
  | ({
      readonly kind: 'done'
      readonly events: readonly E[]
      /** The decision's result, beside its events. */
      readonly result?: Result
      readonly revision: bigint
      /** Position of the last event that was appended together with these. */
      readonly position: bigint
    } & Correlated)
  /** The command asks for what is already so. */
  | ({ readonly kind: 'unchanged'; readonly position: bigint } & Correlated)
  /** The same cause had its effect before. */
  | ({ readonly kind: 'repeated'; readonly position: bigint } & Correlated)
  | { readonly kind: 'rejected'; readonly rejection: R }

export type ExecuteFailure = Exclude<AppendFailure, { kind: 'Conflict' }> | ReadFailure | Contended

export type Outcome = Either<ExecuteFailure | Thrown, Executed<DomainEvent, Rejection>>

/**
 * Executes the commands of each stream in turn, with one append a stream. Outcomes are in the same order. Undefined for
 * a command that had no effect and is to be executed again, alone: one of its stream before it was rejected or failed,
 * or the append of several commands failed. One command alone has an outcome. Never rejects.
 */
export type ExecuteBatch = (commands: readonly Planned[]) => Promise<readonly (Outcome | undefined)[]>

/** A batch of one. Throws `UnreadableStream`, and what the decider throws. */
export type Execute = <S, C extends Command, E extends DomainEvent, R extends Rejection, Result = never>(
  decider: Decider<S, C, E, R, Result>,
  envelope: CommandEnvelope<C>,
) => Promise<Either<ExecuteFailure, Executed<E, R, Result>>>

export const executor = (
  { append }: Pick<EventStore, 'append'>,
  states: StreamStates,
  pause?: Pause,
): Execute => {
  const execute = batchExecutor({ append }, states, pause)
  const only = ([outcome]: readonly (Outcome | undefined)[]) => {
    if (outcome && isLeft(outcome) && outcome.left.kind === 'Thrown') throw outcome.left.error
    return outcome as never
  }
  return (decider, envelope) => execute([{ decider, envelope } as unknown as Planned]).then(only)
}

/** The commands of one stream. */
interface Run {
  readonly stream: string
  readonly commands: Planned[]
  /** Index of each in the batch. */
  readonly places: number[]
  /** State of the stream before them; undefined until it is presumed or read. */
  before: Either<ReadFailure | Thrown, StreamState<never>> | undefined
  isRead: boolean
  decided: DecidedRun | undefined
}

type Pause = (tries: number) => Promise<unknown>

type Appending = Pick<EventStore, 'append' | 'appendEach'>

const maxTries = 20

/**
 * Loads the states, decides, and appends at the revisions that were read. On a conflict it does so again. The first try
 * reads no stream whose state is cached or presumed.
 */
export const batchExecutor =
  (store: Appending, states: StreamStates, pause: Pause = jitter): ExecuteBatch =>
  async (commands) => {
    const outcomes: (Outcome | undefined)[] = commands.map(() => undefined)
    const conclude = ({ places }: Run, some: readonly Outcome[]) => {
      for (let i = 0; i < some.length; i++) outcomes[places[i]!] = some[i]
    }
    const fail = (run: Run, failure: ExecuteFailure | Thrown) => {
      if (run.commands.length === 1) conclude(run, [left(failure)])
    }

    let open = presumedRuns(states, commands)
    for (let tries = 1; tries <= maxTries && open.length > 0; tries++) {
      const again: Run[] = []
      const writes: Run[] = []
      const unknown = open.filter(({ before }) => !before)
      if (unknown.length > 0) await read(states, unknown)
      for (const run of open) {
        const before = run.before!
        if (isLeft(before)) {
          fail(run, before.left)
          continue
        }
        const decided = decideRun(run.commands, before.right, run.isRead, tries)
        run.decided = decided
        if (!decided) again.push(run)
        else if (decided.events.length > 0) writes.push(run)
        else conclude(run, outcomesOf(decided, before.right))
      }
      const appended = writes.length > 0 ? await append(store, writes) : []
      for (let i = 0; i < writes.length; i++) {
        const run = writes[i]!
        const decided = run.decided!
        const end = appended[i]!
        if (isRight(end)) {
          states.keep(run.stream, stateAfter(decided, end.right))
          conclude(run, outcomesOf(decided, end.right))
        } else if (end.left.kind === 'Conflict') again.push(run)
        else {
          states.forget(run.stream)
          fail(run, end.left)
        }
      }
      for (const run of again) run.before = undefined
      if (again.length > 0 && tries > 2) await pause(tries)
      open = again
    }
    for (const run of open) fail(run, { kind: 'Contended', stream: run.stream, tries: maxTries })
    return outcomes
  }

/** Groups commands by stream. A cached or presumed state needs no reading. */
const presumedRuns = (states: StreamStates, commands: readonly Planned[]): readonly Run[] => {
  const runs = new Map<string, Run>()
  commands.forEach((command, i) => {
    const { stream } = command.envelope
    const run = runs.get(stream)
    if (run) {
      run.commands.push(command)
      run.places.push(i)
      return
    }
    const presumed = states.presumed(command.decider, stream)
    const before = presumed && right(presumed)
    runs.set(stream, { stream, commands: [command], places: [i], before, isRead: false, decided: undefined })
  })
  return [...runs.values()]
}

const read = async (states: StreamStates, runs: readonly Run[]): Promise<void> => {
  const found = await states.loadEach(
    new Map(runs.map(({ stream, commands: [first] }) => [stream, first!.decider])),
  )
  for (const run of runs) {
    run.before = found.get(run.stream)
    run.isRead = true
  }
}

/** Appends once a stream: all of its commands have their effect, or none. */
const append = async (
  store: Appending,
  writes: readonly Run[],
): Promise<readonly Either<AppendFailure | Thrown, Appended>[]> => {
  const appends = writes.map(({ stream, decided }): StreamAppend => {
    const { before, events } = decided!
    return { stream, expected: before.revision < 0n ? 'none' : before.revision, events }
  })
  const thrown = (error: unknown) => left({ kind: 'Thrown' as const, error })
  const appendOne = async ({ stream, expected, events }: StreamAppend) =>
    store.append(stream, expected, events)()
  if (!store.appendEach) return Promise.all(appends.map((one) => appendOne(one).catch(thrown)))
  try {
    const each = await store.appendEach(appends)()
    return isRight(each) ? each.right : appends.map(() => each)
  } catch (error) {
    return appends.map(() => thrown(error))
  }
}

/** `end`: the stream's last event, after all events of the run. */
const outcomesOf = ({ decisions, events }: DecidedRun, end: Appended): readonly Outcome[] =>
  decisions.map(({ decision, envelope, correlationId, upTo }): Outcome => {
    if (decision.kind === 'rejected') return right(decision)
    if (decision.kind === 'Contended' || decision.kind === 'Thrown') return left(decision)
    const { position } = end
    const behind = events.length - upTo
    const done =
      decision.kind === 'events'
        ? {
            kind: 'done' as const,
            events: decision.events,
            revision: behind === 0 ? end.revision : end.revision - BigInt(behind),
            position,
          }
        : { kind: decision.kind, position }
    if (envelope.correlationId !== undefined && !('result' in decision)) return right(done)
    return right({
      ...done,
      ...('result' in decision && { result: decision.result }),
      ...(envelope.correlationId === undefined && { correlationId }),
    })
  })

const jitter: Pause = (tries) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(2 ** tries, 100)))
