import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import type { Queue } from '../events.ts'
import { category, type Policy, type StoreEvent, storeEvents } from './events.ts'
import { evolve, initial, type StoreRegistration, type StoreState } from './state.ts'

/** Every command is aimed at one store, by name. */
interface StoreCommandBase extends Command {
  readonly store: string
}

interface RegisterStore extends StoreCommandBase {
  readonly type: 'RegisterStore'
  readonly kind: StoreRegistration['kind']
  /** Absolute path; a folder store needs one, an external store has none. */
  readonly root?: string | undefined
  readonly policy: Policy
}

interface ChangePolicy extends StoreCommandBase {
  readonly type: 'ChangePolicy'
  /** What is not named stays as it is. */
  readonly policy: Partial<Policy>
  readonly reason: string
}

/** An empty prefix means the whole store. */
interface RequestStoreCheck extends StoreCommandBase {
  readonly type: 'RequestStoreCheck'
  readonly prefix: string
  readonly queue: Queue
  readonly reason: string
}

export type StoreCommand = RegisterStore | ChangePolicy | RequestStoreCheck

interface StoreRejection {
  readonly code: 'unknown-store' | 'registered-otherwise' | 'root-missing' | 'root-needless'
  readonly message: string
}

type Decision = E.Either<StoreRejection, readonly StoreEvent[]>

const decide = (command: StoreCommand, state: StoreState): Decision => {
  if (command.type === 'RegisterStore') return register(command, state)
  if (!state) return reject('unknown-store', `no store ${command.store} is registered; register it first`)
  const { reason, at } = command
  switch (command.type) {
    case 'ChangePolicy': {
      const policy = { ...state.policy, ...command.policy }
      return isSamePolicy(policy, state.policy)
        ? E.right([])
        : E.right([{ type: 'PolicyChanged', data: { policy, reason, at } }])
    }
    case 'RequestStoreCheck': {
      const { prefix, queue } = command
      return E.right([{ type: 'StoreCheckRequested', data: { prefix, queue, reason, at } }])
    }
  }
}

const register = ({ store, kind, root, policy, at }: RegisterStore, state: StoreState): Decision => {
  if (kind === 'folder' && !root?.startsWith('/'))
    return reject(
      'root-missing',
      `store ${store} is a folder and needs the folder's absolute path as its root`,
    )
  if (kind === 'external' && root !== undefined)
    return reject('root-needless', `store ${store} is external; others read it, so leave the root out`)
  if (!state)
    return E.right([
      { type: 'StoreRegistered', data: { kind, policy, at, ...(root !== undefined && { root }) } },
    ])
  if (state.kind !== kind || state.root !== root)
    return reject(
      'registered-otherwise',
      `store ${store} is already registered as ${place(state)}; register ${place({ kind, root })} under another name`,
    )
  if (!isSamePolicy(policy, state.policy))
    return reject(
      'registered-otherwise',
      `store ${store} is already registered with another policy; change its policy instead`,
    )
  return E.right([])
}

const place = ({ kind, root }: { kind: string; root?: string | undefined }): string =>
  root === undefined ? kind : `${kind} ${root}`

const isSamePolicy = (one: Policy, other: Policy): boolean =>
  one.intervalDays === other.intervalDays &&
  one.lagSeconds === other.lagSeconds &&
  one.replica === other.replica

const reject = (code: StoreRejection['code'], message: string): Decision => E.left({ code, message })

/** One store. */
export const storeDecider: Decider<StoreState, StoreCommand, StoreEvent, StoreRejection> = {
  category,
  events: storeEvents,
  initial,
  evolve,
  decide,
}
