import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import type { Rejection } from '../../kernel/rejection.ts'
import type { RuleName } from '../rules.ts'
import { type ArchiveEvent, archiveEvents, category } from './events.ts'

interface BeginRule extends Command {
  readonly type: 'BeginRule'
  readonly rule: RuleName
  readonly after: bigint
}
interface RequestAdoption extends Command {
  readonly type: 'RequestAdoption'
  readonly rule: RuleName
  readonly reason: string
}
interface NoteReached extends Command {
  readonly type: 'NoteReached'
  readonly position: bigint
  readonly versions: number
}
interface EndAdoption extends Command {
  readonly type: 'EndAdoption'
  readonly versions: number
}
export type ArchiveCommand = BeginRule | RequestAdoption | NoteReached | EndAdoption

interface Adoption {
  readonly rule: RuleName
  readonly requestedAt: string
  /** Events up to this position are done. */
  readonly reached: bigint
  readonly versions: number
}

export interface ArchiveState {
  /** Rules that hold, and behind which position. */
  readonly begun: ReadonlyMap<RuleName, bigint>
  /** An adoption that has not ended. */
  readonly adoption?: Adoption
}

export interface ArchiveRejection extends Rejection {
  readonly code: 'not-begun' | 'under-way' | 'chain-off'
}

const evolve = (state: ArchiveState, { type, data }: ArchiveEvent): ArchiveState => {
  switch (type) {
    case 'RuleBegun':
      return { ...state, begun: new Map(state.begun).set(data.rule, BigInt(data.after)) }
    case 'AdoptionRequested':
      return {
        ...state,
        adoption: { rule: data.rule, requestedAt: data.at, reached: -1n, versions: 0 },
      }
    case 'AdoptionReached':
      return state.adoption
        ? {
            ...state,
            adoption: { ...state.adoption, reached: BigInt(data.position), versions: data.versions },
          }
        : state
    case 'AdoptionEnded':
      return { begun: state.begun }
  }
}

type Decision = E.Either<ArchiveRejection, readonly ArchiveEvent[]>

const decide = (command: ArchiveCommand, { begun, adoption }: ArchiveState): Decision => {
  const { at } = command
  switch (command.type) {
    case 'BeginRule': {
      const { rule, after } = command
      return E.right(begun.has(rule) ? [] : [{ type: 'RuleBegun', data: { rule, after: String(after), at } }])
    }
    case 'RequestAdoption': {
      const { rule, reason } = command
      if (!begun.has(rule))
        return reject(
          'not-begun',
          `the rule ${rule} does not hold yet: start a process with the role reactions, which begins it`,
        )
      if (adoption)
        return reject('under-way', 'an adoption is under way: `fonds chain adoption` says how far it is')
      return E.right([{ type: 'AdoptionRequested', data: { rule, reason, at } }])
    }
    case 'NoteReached': {
      const { position, versions } = command
      return E.right(
        adoption && position > adoption.reached
          ? [
              {
                type: 'AdoptionReached',
                data: { rule: adoption.rule, position: String(position), versions, at },
              },
            ]
          : [],
      )
    }
    case 'EndAdoption':
      return E.right(
        adoption
          ? [{ type: 'AdoptionEnded', data: { rule: adoption.rule, versions: command.versions, at } }]
          : [],
      )
  }
}

const reject = (code: ArchiveRejection['code'], message: string): Decision => E.left({ code, message })

/** Rules of the chain in this log. */
export const archiveDecider: Decider<ArchiveState, ArchiveCommand, ArchiveEvent, ArchiveRejection> = {
  category,
  events: archiveEvents,
  initial: { begun: new Map() },
  evolve,
  decide,
}
