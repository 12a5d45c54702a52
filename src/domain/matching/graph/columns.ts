/*
 * Columns of numbers, by the number of a node or a link. Number 0 is nobody's, so that a 0 in a column means "none".
 */

/** Returns the number of rows to allocate so that `row` is among them. */
export const capacityFor = (row: number): number => Math.max(1024, row + (row >> 1))

export const bytes = (rows: number, from?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  from ? new Uint8Array(from.buffer.transfer(rows)) : new Uint8Array(rows)

export const integers = (rows: number, from?: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> =>
  from ? new Int32Array(from.buffer.transfer(rows * 4)) : new Int32Array(rows)

export const numbers = (rows: number, from?: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> =>
  from ? new Float64Array(from.buffer.transfer(rows * 8)) : new Float64Array(rows)
