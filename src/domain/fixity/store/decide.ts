import * as E from 'fp-ts/lib/Either.js'
import type { Decider } from '../../kernel/decider.ts'
import type { RegisterStore, StoreCommand } from './commands.ts'
import {
  awaySecondsOf,
  category,
  type Policy,
  type PolicyChange,
  type StoreEvent,
  storeEvents,
} from './events.ts'
import { declareGone, noteGone, sight } from './finding.ts'
import { move } from './moving.ts'
import { type Decision, reject, type StoreRejection } from './rejections.ts'
import { noteRestoreAnswer, restoreArchived } from './restoring.ts'
import { rootProblem, storeRoot } from './root.ts'
import { evolve, initial, type StoreRegistration, type StoreState } from './state.ts'

const decide = (command: StoreCommand, state: StoreState): Decision => {
  if (command.type === 'RegisterStore') return register(command, state)
  if (!state) return reject('unknown-store', `no store ${command.store} is registered; register it first`)
  const { at } = command
  switch (command.type) {
    case 'ChangePolicy': {
      const { reason } = command
      const policy = changed(state.policy, command.policy)
      if (isOfOthers(state.kind, policy)) return othersRead(command.store)
      return isSamePolicy(policy, state.policy)
        ? E.right([])
        : E.right([{ type: 'PolicyChanged', data: { policy, reason, at } }])
    }
    case 'RequestStoreCheck': {
      const { prefix, queue, reason } = command
      return E.right([{ type: 'StoreCheckRequested', data: { prefix, queue, reason, at } }])
    }
    case 'RequestRevival': {
      const { prefix, reason } = command
      return E.right([{ type: 'StoreRevivalRequested', data: { prefix, reason, at } }])
    }
    case 'Sight':
      return sight(command, state)
    case 'DeclareGone':
      return declareGone(command, state)
    case 'NoteGone':
      return E.right(noteGone(command, state))
    case 'MoveStore':
      return move(command, state)
    case 'RestoreArchived':
      return restoreArchived(command, state)
    case 'NoteRestoreAnswer':
      return noteRestoreAnswer(command)
  }
}

const register = (command: RegisterStore, state: StoreState): Decision => {
  const { store, kind, policy, at } = command
  const root = command.root === undefined ? undefined : storeRoot(command.root)
  const problem = kind === 'folder' && rootProblem(root)
  if (problem) return reject('root-missing', `store ${store} is read by Fonds: its root ${problem}`)
  if (kind === 'external' && root !== undefined)
    return reject('root-needless', `store ${store} is external; others read it, so leave the root out`)
  if (isOfOthers(kind, policy)) return othersRead(store)
  if (!state)
    return E.right([
      { type: 'StoreRegistered', data: { kind, policy, at, ...(root !== undefined && { root }) } },
    ])
  if (state.kind !== kind || state.root !== root)
    return reject(
      'registered-otherwise',
      `store ${store} is already registered as ${place(state)}; register ${place({ kind, root })} under another name${moving(kind)}`,
    )
  if (!isSamePolicy(policy, state.policy))
    return reject(
      'registered-otherwise',
      `store ${store} is already registered with another policy; change its policy instead`,
    )
  return E.right([])
}

const isOfOthers = (kind: StoreRegistration['kind'], { bytesPerDay, newFiles, compareHours }: Policy) =>
  kind === 'external' && [bytesPerDay, newFiles, compareHours].some((rule) => rule !== undefined)

const othersRead = (store: string): Decision =>
  reject(
    'external-store',
    `store ${store} is external: others list and read it; leave bytesPerDay, newFiles and compareHours out`,
  )

const changed = (policy: Policy, { bytesPerDay, newFiles, ...others }: PolicyChange): Policy => {
  const { bytesPerDay: bytesBefore, newFiles: filesBefore, ...rest } = { ...policy, ...others }
  const bytes = bytesPerDay ?? bytesBefore
  const files = newFiles ?? filesBefore
  return {
    ...rest,
    ...(typeof bytes === 'number' && { bytesPerDay: bytes }),
    ...(files !== undefined && files !== 'off' && { newFiles: files }),
  }
}

const moving = (kind: StoreRegistration['kind']): string =>
  kind === 'folder' ? ', or move the store with `fonds fixity move-store`' : ''

const place = ({ kind, root }: { kind: string; root?: string | undefined }): string =>
  root === undefined ? kind : `${kind} ${root}`

const isSamePolicy = (one: Policy, other: Policy): boolean =>
  one.intervalDays === other.intervalDays &&
  one.lagSeconds === other.lagSeconds &&
  one.replica === other.replica &&
  awaySecondsOf(one) === awaySecondsOf(other) &&
  one.bytesPerDay === other.bytesPerDay &&
  one.newFiles === other.newFiles &&
  one.compareHours === other.compareHours

/** One store. */
export const storeDecider: Decider<StoreState, StoreCommand, StoreEvent, StoreRejection> = {
  category,
  events: storeEvents,
  initial,
  evolve,
  decide,
}
