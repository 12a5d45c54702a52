import * as E from 'fp-ts/lib/Either.js'
import { addMillis, SECOND } from '../kernel/time.ts'
import { type Checksum, normalise } from './checksum.ts'
import type { RecordContent, RecordIndex, RemoveContent, RemoveIndex } from './commands.ts'
import { defined } from './defined.ts'
import type { Decision } from './rejections.ts'
import type { ItemState, WordHeard } from './state.ts'

/* Decisions about what audit log and index say. The same again is no event. */

/** New or changed content is due at once, in a fresh run. */
export const recordContent = (command: RecordContent, state: ItemState): Decision => {
  const { checksums, size, version, recordedFrom, at } = command
  if (isSame(state.audit, checksums, size) && state.audit?.version === version) return E.right([])
  const data = { checksums: [...checksums], recordedFrom, at, dueAt: at, ...defined({ size, version }) }
  return E.right([{ type: 'ContentRecorded', data }])
}

/** Removed content is checked once more, when the deletion has had time to reach the storage. */
export const removeContent = ({ reason, policy, at }: RemoveContent, state: ItemState): Decision => {
  if (state.audit?.word.status === 'removed') return E.right([])
  const dueAt = addMillis(at, policy.lagSeconds * SECOND)
  return E.right([{ type: 'ContentRemoved', data: { at, dueAt, ...defined({ reason }) } }])
}

export const recordIndex = ({ checksums, size, at }: RecordIndex, state: ItemState): Decision =>
  isSame(state.index, checksums, size)
    ? E.right([])
    : E.right([{ type: 'IndexRecorded', data: { checksums: [...checksums], at, ...defined({ size }) } }])

export const removeIndex = ({ at }: RemoveIndex, state: ItemState): Decision =>
  state.index?.word.status === 'removed' ? E.right([]) : E.right([{ type: 'IndexRemoved', data: { at } }])

const isSame = (
  heard: WordHeard | undefined,
  checksums: readonly Checksum[],
  size: number | undefined,
): boolean =>
  heard?.word.status === 'recorded' &&
  heard.word.size === size &&
  asText(heard.word.checksums) === asText(checksums)

/** Order, case and notation are no difference. */
const asText = (checksums: readonly Checksum[]): string =>
  JSON.stringify(
    checksums
      .map((raw) => [raw.algorithm, normalise(raw)?.value ?? raw.value, raw.basis ?? 'recorded'])
      .sort(),
  )
