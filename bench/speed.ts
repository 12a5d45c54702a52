import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type InstalledCheckout, installCheckout, ours } from './speed/checkouts.ts'
import type { Pair, Round } from './speed/measured.ts'
import { baseCommit, type Row, rows } from './speed/rows.ts'
import { printVerdicts, verdictOf } from './speed/verdict.ts'
import { expectSame } from './table.ts'

/*
 * What everything together costs, row by row, ours beside a peer or beside a checkout of an earlier commit in the same run: medians of
 * three rounds. Ends with 1 where a row falls short, or where its sides did not do the same.
 * `npm run bench -- speed [number of a row …]`; all take about an hour on two cores.
 */

const rounds = 3

const numbers = process.argv.slice(2).map(Number)
const unknown = numbers.filter((number) => !rows.some((row) => row.number === number))
if (unknown.length > 0)
  throw new Error(`rows are ${rows[0]!.number} to ${rows.at(-1)!.number}, not ${unknown}`)
const wanted = rows.filter(({ number }) => numbers.length === 0 || numbers.includes(number))

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-speed-'))
let base: InstalledCheckout | undefined
process.once('exit', () => {
  base?.remove()
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const roundOf = (number: number): Round => {
  const done = new Map<string, Promise<unknown>>()
  return {
    number,
    folder,
    ours,
    base: () => {
      base ??= installCheckout(baseCommit, folder)
      return base
    },
    once: <A>(name: string, work: () => Promise<A>) => {
      const result = done.get(name) ?? work()
      done.set(name, result)
      return result as Promise<A>
    },
  }
}

/** A row is left out of later rounds once it failed. */
const failures = new Map<Row, string>()
const measured = new Map<Row, Pair[]>(wanted.map((row) => [row, []]))

const measure = async (row: Row, round: Round): Promise<string> => {
  const pair = await row.measure(round)
  expectSame('ours did', pair.ours.did, pair.theirs.did)
  measured.get(row)!.push(pair)
  return [pair.ours, pair.theirs].map(({ cost }) => cost.toPrecision(4)).join(' beside ')
}

for (let number = 0; number < rounds; number++) {
  const round = roundOf(number)
  for (const row of wanted.filter((row) => !failures.has(row))) {
    const figures = await measure(row, round).catch((error: Error) => {
      failures.set(row, error.message)
      return error.message
    })
    console.log(`round ${number + 1}, ${row.what}: ${figures} ${failures.has(row) ? '' : row.unit}`)
  }
}

const verdicts = wanted.filter((row) => !failures.has(row)).map((row) => verdictOf(row, measured.get(row)!))
printVerdicts(verdicts)
for (const [{ number, what }, why] of failures) console.log(`FAILED, row ${number}, ${what}: ${why}`)
if (failures.size > 0 || verdicts.some(({ isKept }) => !isKept)) process.exitCode = 1
