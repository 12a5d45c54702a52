import { closeSync, openSync, readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Run } from './manifest.ts'
import { linesFile } from './run-files.ts'
import { openRunOrigins } from './run-origins.ts'
import { createRunOutput } from './run-output.ts'
import { blockSum, sumBytes, sumsFile } from './sums.ts'
import { readAt } from './verify-run.ts'

/** A merge read other bytes than were written: the run is to be verified, and merged without the damage. */
export class DamagedRun extends Error {
  override readonly name = 'DamagedRun'
  /** Name of the run, in a field that crosses between threads. */
  readonly damagedRun: string
  constructor(run: string) {
    super(`the run ${run} is damaged`)
    this.damagedRun = run
  }
}

/** Writes a part with the good blocks of a damaged run and the origins of their lines. Blocks. */
export const writeGoodBlocks = (folder: string, run: Run, name: string): void => {
  const sums = readFileSync(sumsFile(folder, run.name))
  const origins = openRunOrigins(folder, run)
  const file = openSync(linesFile(folder, run.name), 'r')
  const output = createRunOutput(folder, name, origins !== undefined)
  const bad = new Set(run.bad)
  try {
    for (let block = 0; block * sumBytes < sums.length; block++) {
      const sum = blockSum(sums, block, run.bytes, 0)
      if (!sum || bad.has(block)) continue
      const lines = readAt(file, sum.start, sum.end - sum.start)
      if (crc32(lines) !== sum.lines) throw new DamagedRun(run.name)
      const words = origins?.of(block)
      if (words && crc32(words) !== sum.origins) throw new DamagedRun(run.name)
      let line = 0
      let start = 0
      for (let end = lines.indexOf(10); end >= 0; end = lines.indexOf(10, start)) {
        output.put(lines, start, end)
        output.commit(words?.readUInt32LE(line++ * 4) ?? 0)
        start = end + 1
      }
    }
    output.finish()
  } finally {
    output.close()
    closeSync(file)
    origins?.close()
  }
}
