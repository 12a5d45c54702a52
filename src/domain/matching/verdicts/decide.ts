import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import type { Rejection } from '../../kernel/rejection.ts'
import { category, type SeenVersion, type VerdictEvent, verdictEvents } from './events.ts'
import { evolve, initial, type Verdicts } from './state.ts'

interface Because extends Command {
  /** The smallest work of a graph, or a record. */
  readonly work: string
  readonly reason: string
}

/** A person looked at a graph of this content: it is right. */
export interface ConfirmGraph extends Because {
  readonly type: 'ConfirmGraph'
  readonly content: string
  readonly size: number
  readonly versions: readonly SeenVersion[]
}

/** A person looked at so many corrections of a record: its content is right. */
export interface ConfirmRecord extends Because {
  readonly type: 'ConfirmRecord'
  readonly corrections: number
}

/** A verdict is taken back. */
export interface Unconfirm extends Because {
  readonly type: 'UnconfirmGraph' | 'UnconfirmRecord'
}

export type VerdictCommand = ConfirmGraph | ConfirmRecord | Unconfirm

export interface VerdictRejection extends Rejection {
  readonly code: 'already-confirmed' | 'not-confirmed'
}

type Decision = E.Either<VerdictRejection, readonly VerdictEvent[]>

const decide = (command: VerdictCommand, { graph, record }: Verdicts): Decision => {
  const { work, reason, at } = command
  switch (command.type) {
    case 'ConfirmGraph': {
      const { content, size, versions } = command
      // The same content may have been looked at in a later version, which views hold against the verdict.
      return graph?.content === content && isSame(graph.versions, versions)
        ? reject('already-confirmed', `the graph of ${work} is confirmed as it is`)
        : E.right([{ type: 'GraphConfirmed', data: { content, size, versions: [...versions], reason, at } }])
    }
    case 'ConfirmRecord':
      return E.right([{ type: 'RecordConfirmed', data: { corrections: command.corrections, reason, at } }])
    case 'UnconfirmGraph':
      return graph === null
        ? reject('not-confirmed', `no verdict about the graph of ${work} stands`)
        : E.right([{ type: 'GraphUnconfirmed', data: { reason, at } }])
    case 'UnconfirmRecord':
      return record === null
        ? reject('not-confirmed', `no verdict about the record of ${work} stands`)
        : E.right([{ type: 'RecordUnconfirmed', data: { reason, at } }])
  }
}

const isSame = (one: readonly SeenVersion[], other: readonly SeenVersion[]): boolean =>
  one.length === other.length &&
  one.every(([generation, version], i) => generation === other[i]?.[0] && version === other[i]?.[1])

const reject = (code: VerdictRejection['code'], message: string): Decision => E.left({ code, message })

/** Verdicts of persons: they looked at a graph or a record and found it right. */
export const verdictDecider: Decider<Verdicts, VerdictCommand, VerdictEvent, VerdictRejection> = {
  category,
  events: verdictEvents,
  initial,
  evolve,
  decide,
}
