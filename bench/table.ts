import Table from 'cli-table3'

/** One line of a benchmark: ours beside the thing it is measured against, in the same run. */
export interface Line {
  readonly what: string
  readonly ours: number
  readonly beside: string
  readonly theirs: number
  readonly unit: string
  /** Least ratio ours / theirs that we promise, if any. */
  readonly promise?: number
}

export const printTable = (title: string, lines: readonly Line[]): void => {
  const table = new Table({
    head: [title, 'ours', 'beside', 'theirs', 'ratio', 'promised'],
    style: { head: [], border: [] },
  })
  for (const line of lines)
    table.push([
      line.what,
      `${round(line.ours)} ${line.unit}`,
      line.beside,
      `${round(line.theirs)} ${line.unit}`,
      (line.ours / line.theirs).toFixed(2),
      line.promise === undefined
        ? ''
        : `${line.promise} ${line.ours / line.theirs >= line.promise ? 'kept' : 'MISSED'}`,
    ])
  console.log(table.toString())
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

/** The median of some interleaved rounds: machines are noisy. */
export const medians = async (rounds: number, ...measures: (() => Promise<number>)[]): Promise<number[]> => {
  const results: number[][] = measures.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [i, measure] of measures.entries()) results[i]!.push(await measure())
  return results.map((list) => list.sort((a, b) => a - b)[list.length >> 1]!)
}
