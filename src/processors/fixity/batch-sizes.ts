import type { RecordedRow } from '../../domain/fixity/intact.ts'

/** How much a worker takes. */
export interface TakeLimits {
  /** Small files that a hand takes at once. */
  readonly ofHand: number
  /** Items of one batch. Its events and its report must stay well below what a log and a broker take. */
  readonly ofBatch: number
  /** Items claimed at a time. */
  readonly ofTake: number
}

export const unthrottled: TakeLimits = { ofHand: 100, ofBatch: 500, ofTake: 2000 }

/** A hand takes ten items at most, and all hands together what they may check in a second. */
export const throttled = (itemsPerSecond = Number.POSITIVE_INFINITY): TakeLimits => ({
  ofHand: 10,
  ofBatch: 10,
  ofTake: Math.min(itemsPerSecond, unthrottled.ofTake),
})

/** Bytes that keep a hand busy for as long as a claim is worth. */
const bytesOfHand = 32 * 1024 * 1024

/** Of a batch, as `ofBatch`. */
const maxText = 300_000
/** Of several files together: what is read again after a kill. */
const maxBytes = 512 * 1024 * 1024

/** In parts of which `ofHand` make a hand: a large file has one of its own. */
export const partOfHand = ({ size }: RecordedRow, { ofHand }: TakeLimits): number =>
  Math.min(ofHand, Math.max(1, Math.ceil(((size ?? 0) / bytesOfHand) * ofHand)))

/** Of one store each. Where no more is due, few items are parted, too: several threads read at once. */
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

/** Characters that it takes in an event or a report, about. */
const textOf = ({ path, checksums }: RecordedRow): number => 400 + path.length + checksums.length * 150
