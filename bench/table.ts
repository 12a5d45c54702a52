import Table from 'cli-table3'

/** One line of a benchmark: ours beside the thing it is measured against, in the same run. */
export interface Line {
  readonly what: string
  readonly ours: number
  readonly beside: string
  readonly theirs: number
  readonly unit: string
  /** Of ours to theirs, where rounds were compared one by one; else that of the two figures. */
  readonly ratio?: number
  /** Least ratio that we promise, if any. */
  readonly promise?: number
  /** The work of each side, counted, where both were found to have done the same. */
  readonly did?: string
}

/** Also sends the lines to a process that began the bench to take them. */
export const printTable = (title: string, lines: readonly Line[]): void => {
  const table = new Table({
    head: [title, 'ours', 'beside', 'theirs', 'ratio', 'promised'],
    style: { head: [], border: [] },
  })
  for (const line of lines) {
    const ratio = line.ratio ?? line.ours / line.theirs
    table.push([
      line.what,
      `${round(line.ours)} ${line.unit}`,
      line.beside,
      `${round(line.theirs)} ${line.unit}`,
      ratio.toFixed(2),
      line.promise === undefined ? '' : `${line.promise} ${ratio >= line.promise ? 'kept' : 'MISSED'}`,
    ])
  }
  console.log(table.toString())
  process.send?.(lines)
}

const round = (n: number): string => (n >= 100 ? Math.round(n).toLocaleString('en') : n.toPrecision(3))

/** A side that did less would look faster: ends the benchmark. */
export const expectSame = (what: string, done: unknown, expected: unknown): void => {
  if (done !== expected) throw new Error(`${what}: ${done}, not ${expected}`)
}

/** Units per second. */
export const rate = async (units: number, work: () => unknown): Promise<number> => {
  const start = performance.now()
  await work()
  return (units / (performance.now() - start)) * 1000
}

/** Figures of some interleaved rounds: machines are noisy. */
export const interleaved = async <Figure>(
  rounds: number,
  ...measures: (() => Promise<Figure>)[]
): Promise<readonly (readonly Figure[])[]> => {
  const results: Figure[][] = measures.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [i, measure] of measures.entries()) results[i]!.push(await measure())
  return results
}

export const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[figures.length >> 1]!

/** The median of the ratios of each round. */
export const medianRatio = (ours: readonly number[], theirs: readonly number[]): number =>
  median(ours.map((one, round) => one / theirs[round]!))

export const medians = async (rounds: number, ...measures: (() => Promise<number>)[]): Promise<number[]> =>
  (await interleaved(rounds, ...measures)).map(median)
