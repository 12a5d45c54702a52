import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../../kernel/decider.ts'
import type { IngestRejection } from '../rejection.ts'
import type { ObjectEvent } from './events.ts'
import type { ObjectState } from './state.ts'
import { areSame, type Difference } from './storage.ts'

/** The result of comparing storage with the log for the object. */
export interface CompareStorage extends Command {
  readonly type: 'CompareStorage'
  /** Number of versions that the log knew then: a version that was recorded since is no difference. */
  readonly known: number
  readonly differences: readonly Difference[]
}

export interface RecordSetAside extends Command {
  readonly type: 'RecordSetAside'
  readonly keep: number
  /** Undefined: no version was to be removed from storage. */
  readonly folder: string | undefined
  readonly reason: string
}

type Decision = E.Either<IngestRejection, readonly ObjectEvent[]>

/** Returns an event only if the result differs from the last comparison. */
export const compareStorage = ({ differences, known, at }: CompareStorage, state: ObjectState): Decision => {
  // The object changed meanwhile: the next comparison decides.
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
