import { isDeepStrictEqual } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import { dayOf } from '../store/budget.ts'
import { type BagEvent, bagEvents, category } from './events.ts'
import { type BagContent, type BagStructure, judgeBag } from './judging.ts'

/** From a listing of the store. */
export interface JudgeBag extends Command {
  readonly type: 'JudgeBag'
  readonly store: string
  readonly bag: string
  readonly structure: BagStructure
  readonly content: BagContent
  readonly intervalDays: number
}

type BagState = BagEvent['data'] | undefined

/** A judgement that says the same is recorded once a day of UTC: it has the day of the listing. */
export const bagDecider: Decider<BagState, JudgeBag, BagEvent, never> = {
  category,
  events: bagEvents,
  initial: undefined,
  evolve: (_, { data }) => data,
  decide: ({ store, bag, structure, content, intervalDays, at }, before) => {
    const judgement = judgeBag(structure, content, { now: at, intervalDays })
    const states = Object.fromEntries(Object.entries(content.states).filter(([, count]) => count > 0))
    const judged = { store, bag, ...judgement, structure, states, at }
    return E.right(before && isSame(before, judged) ? [] : [{ type: 'BagJudged', data: judged }])
  },
}

const isSame = (before: BagEvent['data'], now: BagEvent['data']): boolean =>
  dayOf(before.structure.listedAt) === dayOf(now.structure.listedAt) &&
  before.verdict === now.verdict &&
  before.because === now.because &&
  before.structure.items === now.structure.items &&
  before.structure.files === now.structure.files &&
  before.structure.bytes === now.structure.bytes &&
  before.structure.changed === now.structure.changed &&
  isDeepStrictEqual(before.structure.changedPaths, now.structure.changedPaths)
