import { setImmediate } from 'node:timers/promises'
import { type CaptureLine, captureLine, type KeyRange } from '@fonds/cdx'
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

/** Lines that are visible now and were not, or the reverse, for other reasons than changes of the index. */
export interface SeenOtherwise {
  /** Because of rules of access. */
  readonly ranges: readonly KeyRange[]
  /** Names of archive files that an embargo hides now, and did not before. */
  readonly hidden?: ReadonlySet<string>
  /** Names of those that it hid before. */
  readonly shown?: ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()

interface Bounds {
  /** Lines listed in the page. */
  readonly size: number
  readonly signal: AbortSignal
}

/** A place is part of an address: a page does not end after a longer line. */
const maxPlaceBytes = 4096

/**
 * A page of the changes for readers who see visible lines alone: first the ranges where rules changed, then lines that
 * an embargo hides or shows now, then the lines that changed. Each line comes as it is now; changes that happen meanwhile come again with the next round. Lines that
 * rules hide are left out, removed ones too.
 */
export const changePage = async (
  source: CaptureSource,
  { from, to, on }: Pick<Place, 'from' | 'to' | 'on'>,
  { ranges, hidden = none, shown: released = none }: SeenOtherwise,
  { size, signal }: Bounds,
): Promise<ChangePage> => {
  const { index, isHidden, refusedBy, maxScanned } = source
  const items: ChangeItem[] = []
  let emitted = 0
  let scanned = 0

  /** The text of a line, if it is visible. */
  const shown = (bytes: Uint8Array): string | undefined => {
    const line = captureLine(textOf(bytes))
    return line && !isHidden?.(line) ? line.text : undefined
  }
  const emit = (...more: readonly ChangeItem[]): void => {
    items.push(...more)
    emitted += more.length
  }
  /** The line, if an embargo alone hides it that did not before. */
  const newlyHidden = (bytes: Uint8Array): CaptureLine | undefined => {
    if (hidden.size === 0) return undefined
    const line = captureLine(textOf(bytes))
    return line && hidden.has(line.field('file')) && !refusedBy?.(line) ? line : undefined
  }
  /** True if the page ends after the line. */
  const isFull = (line: Uint8Array): boolean => {
    scanned++
    return (emitted >= size || scanned >= maxScanned) && line.length <= maxPlaceBytes
  }

  if (on === undefined || on.part === 'anew')
    for (const range of ranges) {
      const begin =
        on && Buffer.compare(on.line, Buffer.from(range.from)) > 0 ? on.line : Buffer.from(range.from)
      const end = range.to === undefined ? undefined : Buffer.from(range.to)
      if (end && Buffer.compare(begin, end) >= 0) continue
      const lines: ChangeItem[] = []
      const emitRange = (next: Uint8Array | undefined) =>
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
          emitRange(next)
          return { items, on: { part: 'anew', line: next } }
        }
        await setImmediate()
      }
      emitRange(end)
      if (end && emitted >= size) return { items, on: { part: 'anew', line: end } }
    }

  if (from && hidden.size + released.size > 0 && on?.part !== 'changes') {
    // Those of the index as it was: the reader knows them, or has not seen them for an embargo.
    const begin = on?.part === 'embargoes' ? on.line : undefined
    for await (const batch of index.scan({ ...(begin && { from: begin }), asOf: from.index })) {
      signal.throwIfAborted()
      for (const bytes of batch) {
        const line = captureLine(textOf(bytes))
        if (line && released.has(line.field('file')) && !isHidden?.(line)) emit({ add: line.text })
        // Lines that a rule hid before came anew.
        else if (newlyHidden(bytes) && !isWithin(ranges, bytes)) emit({ remove: textOf(bytes) })
        if (isFull(bytes)) return { items, on: { part: 'embargoes', line: behind(bytes) } }
      }
      await setImmediate()
    }
  }

  if (!from || from.index >= to.index) return { items }
  const begin = on?.part === 'changes' ? on.line : undefined
  const wanted = { since: from.index, upTo: to.index, ...(begin && { from: begin }) }
  for await (const batch of index.changed(wanted)) {
    signal.throwIfAborted()
    for (const { line, holds } of batch) {
      const text = shown(line)
      if (text !== undefined) emit(holds ? { add: text } : { remove: text })
      else {
        // An answer before may have told it, whose reader did not keep its place.
        const now = newlyHidden(line)
        if (now) emit(...(await linesOfMoment(index, now, shown)))
      }
      if (isFull(line)) return { items, on: { part: 'changes', line: behind(line) } }
    }
    await setImmediate()
  }
  return { items }
}

/** The lines of a key and a time, without those that are hidden: their texts are not told. */
const linesOfMoment = async (
  index: CaptureSource['index'],
  { key, time }: CaptureLine,
  shown: (bytes: Uint8Array) => string | undefined,
): Promise<readonly ChangeItem[]> => {
  const [from, to] = [`${key} ${time}`, `${key} ${time}:`]
  const adds: ChangeItem[] = []
  for await (const batch of index.scan({ from: Buffer.from(from), to: Buffer.from(to) }))
    for (const bytes of batch) {
      const text = shown(bytes)
      if (text !== undefined) adds.push({ add: text })
    }
  return [{ anew: { from, to } }, ...adds]
}

const isWithin = (ranges: readonly KeyRange[], line: Uint8Array): boolean =>
  ranges.some(
    ({ from, to }) =>
      Buffer.compare(Buffer.from(from), line) <= 0 &&
      (to === undefined || Buffer.compare(line, Buffer.from(to)) < 0),
  )

const behind = (line: Uint8Array): Uint8Array => Buffer.concat([line, Buffer.from([0])])
