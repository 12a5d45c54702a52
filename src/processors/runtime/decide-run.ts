import type { DomainEvent, NewEvent } from '../../domain/kernel/event.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { Writable } from '../../domain/kernel/writable.ts'
import type { Appended, Contended } from '../../ports/event-store.ts'
import { type CommandEnvelope, type Decided, decideCommand } from './decide-command.ts'
import { isHandled, note } from './handled.ts'
import type { Route } from './processor.ts'
import type { StreamState, Thrown } from './stream-states.ts'

/** A command with its decider. */
export interface Planned {
  readonly decider: Route['decider']
  readonly envelope: CommandEnvelope<never>
}

/** Commands of one stream, decided in turn from one state, before anything is written. */
export interface DecidedRun {
  readonly before: StreamState<never>
  decisions: DecisionOf[]
  /** The events of all commands. */
  events: readonly NewEvent[]
  /** The state after them, and the correlation of the last. */
  state: never
  correlationId: string | undefined
}

interface DecisionOf {
  readonly envelope: CommandEnvelope<never>
  readonly correlationId: string
  readonly decision: Decision
  /** Number of the run's events up to its own. */
  readonly upTo: number
}

type Decision = Decided<never, DomainEvent, Rejection, unknown> | Contended | Thrown

/**
 * Decides up to the first command that is rejected or fails. Undefined if the state has to be read first: only an
 * append shows that one that was not read is stale.
 */
export const decideRun = (
  commands: readonly Planned[],
  before: StreamState<never>,
  isRead: boolean,
  tries: number,
): DecidedRun | undefined => {
  const { state, correlationId } = before
  const run: DecidedRun = { before, decisions: [], events: [], state, correlationId }
  for (const { decider, envelope } of commands) {
    const own = envelope.correlationId ?? run.correlationId ?? envelope.causationId
    const decision = decideNext(run, decider, envelope, own, tries)
    if (decision.kind === 'events') {
      run.events = run.events.length === 0 ? decision.stored : [...run.events, ...decision.stored]
      run.state = decision.state
      run.correlationId = own
    } else if (decision.kind !== 'repeated' && !isRead && run.events.length === 0) return undefined
    const one = { envelope, correlationId: own, decision, upTo: run.events.length }
    // The first push to an empty list allocates room for 17, and most streams of a batch have one command.
    if (run.decisions.length === 0) run.decisions = [one]
    else run.decisions.push(one)
    if (isOver(decision)) break
  }
  return run
}

const decideNext = (
  { before: { revision, handled }, events, state }: DecidedRun,
  decider: Planned['decider'],
  envelope: CommandEnvelope<never>,
  correlationId: string,
  tries: number,
): Decision => {
  const { stream, causationId, expected } = envelope
  if (events.some(({ metadata }) => metadata.causationId === causationId)) return { kind: 'repeated' }
  const isElsewhere = expected !== undefined && expected !== revision + BigInt(events.length)
  if (isElsewhere && !isHandled(handled, envelope)) return { kind: 'Contended', stream, tries }
  try {
    return decideCommand(decider, envelope, correlationId, state, handled)
  } catch (error) {
    return { kind: 'Thrown', error }
  }
}

const isOver = ({ kind }: Decision): boolean =>
  kind === 'rejected' || kind === 'Contended' || kind === 'Thrown'

/** Returns the stream's state after its events were appended. Their causes count as handled from now on. */
export const stateAfter = (
  { before: { handled }, decisions, state, correlationId }: DecidedRun,
  { revision, position }: Appended,
): StreamState<never> => {
  for (const { decision, envelope } of decisions) if (decision.kind === 'events') note(handled, envelope)
  const after: Writable<StreamState<never>> = { state, revision, position, handled }
  if (correlationId !== undefined) after.correlationId = correlationId
  return after
}
