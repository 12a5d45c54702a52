import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { PositiveInteger } from '../../kernel/codecs.ts'
import type { Command, Decided, Decider } from '../../kernel/decider.ts'
import type { Rejection } from '../../kernel/rejection.ts'
import type { Rules } from '../merged/rules.ts'
import { category, type GenerationEvent, generationEvents } from './events.ts'
import { evolve, type Generations, initial } from './state.ts'

/** Each active generation costs every update once more: a log entry, a merge, the documents. */
const maxActive = 5

interface Because extends Command {
  readonly reason: string
}

/** Starts another index, by these rules, beside the others. */
interface Start extends Because {
  readonly type: 'Start'
  readonly rules: Rules
}

/** Readers get this generation from now on. */
interface Switch extends Because {
  readonly type: 'Switch'
  readonly generation: number
}

/** Ends a generation: nothing is added to it any more. */
interface Drop extends Because {
  readonly type: 'Drop'
  readonly generation: number
}

export type GenerationCommand = Start | Switch | Drop

interface GenerationRejection extends Rejection {
  readonly code: 'too-many' | 'unknown-generation' | 'dropped' | 'live'
}

/** The result of `Start`: the number of the new generation. */
export const Started = t.type({ generation: PositiveInteger })
type Started = t.TypeOf<typeof Started>

type Judged = E.Either<GenerationRejection, Decided<GenerationEvent, Started>>

const decide = (command: GenerationCommand, state: Generations): Judged => {
  const { reason, at } = command
  switch (command.type) {
    case 'Start': {
      if (state.active.size >= maxActive)
        return reject(
          'too-many',
          `${maxActive} generations are kept already (${activeOf(state)}); drop one that is not needed first`,
        )
      const generation = state.last + 1
      return E.right({
        events: [{ type: 'GenerationStarted', data: { generation, rules: command.rules, reason, at } }],
        result: { generation },
      })
    }
    case 'Switch': {
      const { generation } = command
      if (generation === state.live)
        return reject('live', `readers get generation ${generation} already; there is nothing to switch`)
      return (
        missing(generation, state) ??
        E.right([{ type: 'GenerationSwitched', data: { generation, from: state.live, reason, at } }])
      )
    }
    case 'Drop': {
      const { generation } = command
      if (generation === state.live)
        return reject(
          'live',
          `readers get generation ${generation}; switch to another one before it is dropped`,
        )
      return (
        missing(generation, state) ??
        E.right([{ type: 'GenerationDropped', data: { generation, reason, at } }])
      )
    }
  }
}

const missing = (generation: number, state: Generations): Judged | undefined => {
  if (state.active.has(generation)) return undefined
  return generation <= state.last
    ? reject(
        'dropped',
        `generation ${generation} was dropped and is no longer kept up to date; ${thereAre(state)}, or start another one`,
      )
    : reject('unknown-generation', `there is no generation ${generation}; ${thereAre(state)}`)
}

const activeOf = ({ active }: Generations): string => [...active.keys()].join(', ')

const thereAre = (state: Generations): string =>
  `there ${state.active.size === 1 ? 'is' : 'are'} ${activeOf(state)}`

const reject = (code: GenerationRejection['code'], message: string): Judged => E.left({ code, message })

/** Decides which indexes there are. */
export const generationsDecider: Decider<
  Generations,
  GenerationCommand,
  GenerationEvent,
  GenerationRejection,
  Started
> = { category, events: generationEvents, initial, evolve, decide }
