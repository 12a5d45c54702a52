import { cell } from './settings.ts'

/** Samples, with the sums of their values and of their squares before each cell: integers, hence exact. */
export interface Levels {
  readonly samples: Int16Array
  readonly sums: Float64Array
  readonly squares: Float64Array
}

/** Allocates the sums. `addUp` computes them. */
export const levelsOf = (samples: Int16Array): Levels => {
  const cells = Math.floor(samples.length / cell)
  return { samples, sums: new Float64Array(cells + 1), squares: new Float64Array(cells + 1) }
}

export const addUp = ({ samples, sums, squares }: Levels): void => {
  let sum = 0
  let square = 0
  for (let c = 0; c < sums.length - 1; c++) {
    let cellSum = 0
    let cellSquare = 0
    for (let i = c * cell; i < (c + 1) * cell; i++) {
      const sample = samples[i]!
      cellSum += sample
      cellSquare += sample * sample
    }
    sum += cellSum
    square += cellSquare
    sums[c + 1] = sum
    squares[c + 1] = square
  }
}

/** Sum and sum of squares of the samples from `from` up to `to`, which is exclusive. */
export const sumsBetween = (
  { samples, sums, squares }: Levels,
  from: number,
  to: number,
): [sum: number, square: number] => {
  const firstCell = Math.floor(from / cell)
  const lastCell = Math.floor(to / cell)
  let sum = sums[lastCell]! - sums[firstCell]!
  let square = squares[lastCell]! - squares[firstCell]!
  for (let i = firstCell * cell; i < from; i++) {
    const sample = samples[i]!
    sum -= sample
    square -= sample * sample
  }
  for (let i = lastCell * cell; i < to; i++) {
    const sample = samples[i]!
    sum += sample
    square += sample * sample
  }
  return [sum, square]
}
