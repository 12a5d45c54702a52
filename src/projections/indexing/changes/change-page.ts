import { setImmediate } from 'node:timers/promises'
import { captureLine, type KeyRange } from '@fonds/cdx'
import type { Place } from '../../../domain/indexing/changes/place.ts'
import type { CaptureSource } from '../captures/capture-source.ts'
import { textOf } from '../captures/read-lines.ts'

/** Steps that a secondary applies, in this order. They are idempotent. */
export type ChangeItem =
  /** Drop all lines from `from` on, up to `to` exclusive; absent: to the last. The lines that exist follow. */
  | { readonly anew: { readonly from: string; readonly to?: string } }
  | { readonly add: string }
  | { readonly remove: string }

export interface ChangePage {
  readonly items: readonly ChangeItem[]
  /** Place to continue from; absent: the round has ended. */
  readonly on?: Place['on']
}

interface Bounds {
  /** Lines listed in the page. */
  readonly size: number
  readonly signal: AbortSignal
}

/** A place is part of an address: a page does not end after a longer line. */
const maxPlaceBytes = 4096

/**
 * A page of the changes for readers who see visible lines alone: first the ranges where rules changed, then the lines
 * that changed. Each line comes as it is now; changes that happen meanwhile come again with the next round. Lines that
 * rules hide are left out, removed ones too.
 */
export const changePage = async (
  source: CaptureSource,
  { from, to, on }: Pick<Place, 'from' | 'to' | 'on'>,
  ranges: readonly KeyRange[],
  { size, signal }: Bounds,
): Promise<ChangePage> => {
  const { index, isHidden, maxScanned } = source
  const items: ChangeItem[] = []
  let emitted = 0
  let scanned = 0

  /** The text of a line, if it is visible. */
  const shown = (bytes: Uint8Array): string | undefined => {
    const line = captureLine(textOf(bytes))
    return line && !isHidden?.(line) ? line.text : undefined
  }
  /** True if the page ends after the line. */
  const isFull = (line: Uint8Array): boolean => {
    scanned++
    return (emitted >= size || scanned >= maxScanned) && line.length <= maxPlaceBytes
  }

  if (on?.part !== 'changes')
    for (const range of ranges) {
      const begin =
        on && Buffer.compare(on.line, Buffer.from(range.from)) > 0 ? on.line : Buffer.from(range.from)
      const end = range.to === undefined ? undefined : Buffer.from(range.to)
      if (end && Buffer.compare(begin, end) >= 0) continue
      const lines: ChangeItem[] = []
      const emit = (next: Uint8Array | undefined) =>
        items.push({ anew: { from: textOf(begin), ...(next && { to: textOf(next) }) } }, ...lines)
      for await (const batch of index.scan({ from: begin, ...(end && { to: end }) })) {
        signal.throwIfAborted()
        for (const bytes of batch) {
          const text = shown(bytes)
          if (text !== undefined) {
            lines.push({ add: text })
            emitted++
          }
          if (!isFull(bytes)) continue
          const next = behind(bytes)
          emit(next)
          return { items, on: { part: 'anew', line: next } }
        }
        await setImmediate()
      }
      emit(end)
      if (end && emitted >= size) return { items, on: { part: 'anew', line: end } }
    }

  if (!from || from.index >= to.index) return { items }
  const begin = on?.part === 'changes' ? on.line : undefined
  const wanted = { since: from.index, upTo: to.index, ...(begin && { from: begin }) }
  for await (const batch of index.changed(wanted)) {
    signal.throwIfAborted()
    for (const { line, holds } of batch) {
      const text = shown(line)
      if (text !== undefined) {
        items.push(holds ? { add: text } : { remove: text })
        emitted++
      }
      if (isFull(line)) return { items, on: { part: 'changes', line: behind(line) } }
    }
    await setImmediate()
  }
  return { items }
}

const behind = (line: Uint8Array): Uint8Array => Buffer.concat([line, Buffer.from([0])])
