import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import { categories } from '../ids.ts'
import type { ObjectHolder } from '../object/state.ts'
import { type IngestRejection, reject } from '../rejection.ts'
import { type LocalIdEvent, localIdEvents } from './events.ts'

interface ClaimLocalId extends Command, ObjectHolder {
  readonly type: 'ClaimLocalId'
  /** A holder that was looked up and is no longer processing. */
  readonly over?: ObjectHolder | undefined
}

interface BindLocalId extends Command, ObjectHolder {
  readonly type: 'BindLocalId'
  readonly ark: string
}

/** An object that a person adopts names this as its local id. */
interface AdoptLocalId extends Command {
  readonly type: 'AdoptLocalId'
  readonly ark: string
}

export type LocalIdCommand = ClaimLocalId | BindLocalId | AdoptLocalId

export interface LocalIdState {
  /** The object that it identifies; it never changes. */
  readonly ark?: string
  /** The job that may find or mint the identifier. */
  readonly holder?: ObjectHolder
}

const evolve = (state: LocalIdState, { type, data }: LocalIdEvent): LocalIdState =>
  type === 'LocalIdClaimed' ? { ...state, holder: { job: data.job, fence: data.fence } } : { ark: data.ark }

type Decision = E.Either<IngestRejection, readonly LocalIdEvent[]>

const decide = (command: LocalIdCommand, state: LocalIdState): Decision => {
  switch (command.type) {
    case 'ClaimLocalId':
      return claim(command, state)
    case 'BindLocalId':
      return bind(command, state)
    case 'AdoptLocalId':
      return adopt(command, state)
  }
}

/** A bound local id needs no claim: every job may read it. */
const claim = ({ job, fence, over, at }: ClaimLocalId, { ark, holder }: LocalIdState): Decision => {
  if (ark !== undefined) return E.right([])
  const claimed: LocalIdEvent = { type: 'LocalIdClaimed', data: { job, fence, at } }
  if (!holder) return E.right([claimed])
  if (holder.job === job)
    return holder.fence > fence
      ? reject('fenced', `claim ${holder.fence} of job ${job} holds the local id; drop the result`)
      : E.right(holder.fence === fence ? [] : [claimed])
  return over?.job === holder.job && over.fence === holder.fence
    ? E.right([claimed])
    : reject('held', `job ${holder.job} looks for the identifier of this local id; wait for it`)
}

/** It may be claimed meanwhile: its holder finds the object. */
const adopt = ({ ark, at }: AdoptLocalId, { ark: bound }: LocalIdState): Decision => {
  if (bound !== undefined && bound !== ark)
    return reject('other-ark', `the local id means ${bound}, not ${ark}`)
  return E.right(bound === ark ? [] : [{ type: 'LocalIdAdopted', data: { ark, at } }])
}

const bind = ({ job, fence, ark, at }: BindLocalId, { ark: bound, holder }: LocalIdState): Decision => {
  if (bound !== undefined)
    return bound === ark
      ? E.right([])
      : reject('other-ark', `the local id means ${bound}, not ${ark}; leave one of the two out`)
  return holder?.job === job && holder.fence === fence
    ? E.right([{ type: 'LocalIdBound', data: { job, ark, at } }])
    : reject('fenced', `job ${job} under claim ${fence} does not hold the local id; drop the result`)
}

/** Decides about one local id of one owner: it identifies one object, found or minted by one job at a time. */
export const localIdDecider: Decider<LocalIdState, LocalIdCommand, LocalIdEvent, IngestRejection> = {
  category: categories.localId,
  events: localIdEvents,
  initial: {},
  evolve,
  decide,
}
