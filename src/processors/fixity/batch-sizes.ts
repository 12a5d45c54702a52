import type { RecordedRow } from '../../domain/fixity/intact.ts'

/** Limits on the items that a worker claims. */
export interface TakeLimits {
  /** Small files that one concurrent slot takes at once. */
  readonly ofSlot: number
  /** Items of one batch. Its events and its report must stay well below the size limits of log and broker. */
  readonly ofBatch: number
  /** Items claimed at a time. */
  readonly ofTake: number
}

export const unthrottled: TakeLimits = { ofSlot: 100, ofBatch: 500, ofTake: 2000 }

/** A slot takes at most ten items, and all slots together at most the items that may be checked in a second. */
export const throttled = (itemsPerSecond = Number.POSITIVE_INFINITY): TakeLimits => ({
  ofSlot: 10,
  ofBatch: 10,
  ofTake: Math.min(itemsPerSecond, unthrottled.ofTake),
})

/** Bytes that keep a slot busy for long enough to be worth a claim. */
const bytesOfSlot = 32 * 1024 * 1024

/** Characters of a batch, limited for the same reason as `ofBatch`. */
const maxText = 300_000
/** Bytes of a batch of several files: at most these are read again after a kill. */
const maxBytes = 512 * 1024 * 1024

/** Load of an item, in parts of which `ofSlot` fill a slot: a large file has a slot of its own. */
export const partOfSlot = ({ size }: RecordedRow, { ofSlot }: TakeLimits): number =>
  Math.min(ofSlot, Math.max(1, Math.ceil(((size ?? 0) / bytesOfSlot) * ofSlot)))

/**
 * Groups items into batches of one store each. If no more is due, splits even a few items, so that several threads read
 * at once.
 */
export const inBatches = <Row extends RecordedRow>(
  due: readonly Row[],
  isMoreDue: boolean,
  { ofBatch }: TakeLimits,
): readonly (readonly Row[])[] =>
  [...Map.groupBy(due, ({ store }) => store).values()].flatMap((all) => {
    const most = isMoreDue ? ofBatch : Math.min(ofBatch, Math.max(10, Math.ceil(all.length / 4)))
    const batches: Row[][] = []
    let [bytes, text] = [0, 0]
    for (const row of all) {
      const batch = batches.at(-1)
      const [size, length] = [row.size ?? 0, textOf(row)]
      const isFull = !batch || batch.length >= most || bytes + size > maxBytes || text + length > maxText
      if (isFull) batches.push([row])
      else batch.push(row)
      ;[bytes, text] = isFull ? [size, length] : [bytes + size, text + length]
    }
    return batches
  })

/** Approximate characters of an item, and of two checksums that its storage claims, in an event or a report. */
const textOf = ({ path, checksums }: RecordedRow): number => 700 + path.length + checksums.length * 150
