import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../../kernel/decider.ts'
import type { IngestRejection } from '../rejection.ts'
import type { ObjectEvent } from './events.ts'
import type { ObjectState } from './state.ts'
import { areSame, type Difference } from './storage.ts'

/** Somebody looked at what storage holds of the object. */
export interface CompareStorage extends Command {
  readonly type: 'CompareStorage'
  /** What the log knew then: a version that was recorded since is no difference. */
  readonly known: number
  readonly differences: readonly Difference[]
}

export interface RecordSetAside extends Command {
  readonly type: 'RecordSetAside'
  readonly keep: number
  /** Undefined: nothing was to be taken out. */
  readonly folder: string | undefined
  readonly reason: string
}

type Decision = E.Either<IngestRejection, readonly ObjectEvent[]>

/** An event only where it is otherwise than when it was looked at last. */
export const compareStorage = ({ differences, known, at }: CompareStorage, state: ObjectState): Decision => {
  // The object moved on meanwhile: the next look tells.
  if (known !== state.versions.length) return E.right([])
  if (areSame(state.differences ?? [], differences)) return E.right([])
  return E.right([
    differences.length > 0
      ? { type: 'StorageDiffered', data: { differences, at } }
      : { type: 'StorageAgreed', data: { at } },
  ])
}

export const recordSetAside = ({ keep, folder, reason, at }: RecordSetAside): Decision =>
  E.right(folder === undefined ? [] : [{ type: 'VersionsSetAside', data: { keep, folder, reason, at } }])
