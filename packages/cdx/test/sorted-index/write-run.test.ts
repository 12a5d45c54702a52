import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type IndexJob, runJob } from '../../src/sorted-index/jobs.ts'
import { sortLines } from '../../src/sorted-index/sort-lines.ts'
import { writeRun } from '../../src/sorted-index/write-run.ts'
import { batchOf, emptyFolder, openTestIndex, sortedUnique } from './lines.ts'

/** Bytes of lines that share prefixes, with those that orders other than the bytes' get wrong. */
const anyLine = fc
  .array(fc.constantFrom(1, 9, 11, 32, 41, 44, 97, 98, 127, 128, 195, 255), { minLength: 1, maxLength: 12 })
  .map((bytes) => Buffer.from(bytes).toString('latin1'))

const gnuSorted = (path: string): Buffer =>
  execFileSync('sort', ['-u', path], { env: { ...process.env, LC_ALL: 'C' }, maxBuffer: 1024 ** 3 })

describe('sorting', () => {
  it('indexing W27 is by bytes, each line once', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 80 }), (lines) => {
        const wanted = sortedUnique(lines)
        const batch = batchOf(lines)
        const sorted: Buffer[] = []
        sortLines(batch, (start, end) => sorted.push(batch.subarray(start, end + 1)))
        expect(Buffer.concat(sorted).equals(batchOf(wanted))).toBe(true)
        expect(sorted).toHaveLength(wanted.length)
      }),
    )
  })

  it.each([
    ['without its LF', 'a b', /within a line/],
    ['with NUL', 'a \0b\n', /NUL/],
    ['that is empty', 'a b\n\nc\n', /empty/],
    ['that is too long', `${'a'.repeat(1024 ** 2 + 1)}\n`, /at most/],
  ])('refuses a line %s', async (_, batch, reason) => {
    const folder = emptyFolder()
    const index = openTestIndex(folder)
    await expect(index.write([batch])).rejects.toThrow(reason)
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('a run', () => {
  it.each([
    ['in memory', 1024 ** 3],
    ['by parts', 20_000],
  ])('indexing W27 is what GNU sort makes of the same lines, %s', async (_, maxSortBytes) => {
    const folder = emptyFolder()
    const lines = fc.sample(fc.tuple(anyLine, fc.nat(50)), { numRuns: 6000, seed: 1 })
    const batches = Array.from({ length: 60 }, (_, i) =>
      batchOf(lines.slice(i * 100, (i + 1) * 100).map(([line, n]) => `com,example)/${n} ${line}`)),
    )
    const index = openTestIndex(folder, { maxSortBytes })
    const run = await index.write(batches)

    const source = join(emptyFolder(), 'lines')
    writeFileSync(source, Buffer.concat(batches))
    const wanted = gnuSorted(source)
    const file = readFileSync(join(folder, `${run.name}.cdx`))
    expect(file.equals(wanted)).toBe(true)
    expect(run).toMatchObject({
      bytes: wanted.length,
      sha256: createHash('sha256').update(wanted).digest('hex'),
      first: 'com,example)/0',
      last: 'com,example)/9',
    })
    expect(readdirSync(folder)).toEqual([`${run.name}.cdx`, `${run.name}.sums`])
  })

  it('of many lines needs the memory of one part: it is shared with the thread, and used again', async () => {
    const seen: ArrayBufferLike[] = []
    const threads = {
      run: async (job: IndexJob) => {
        if (job.kind === 'sort') seen.push(job.batch.buffer)
        return runJob(job)
      },
      close: async () => {},
    }
    const lines = Array.from({ length: 5000 }, (_, i) => `com,example)/${i} ${'a'.repeat(90)}`)
    const batches = Array.from({ length: 50 }, (_, i) => batchOf(lines.slice(i * 100, (i + 1) * 100)))
    const run = await writeRun(emptyFolder(), threads, batches, 100_000)
    expect(run.lines).toBe(5000)
    expect(seen.length).toBeGreaterThan(4)
    expect(new Set(seen).size).toBe(1)
    expect(seen[0]).toBeInstanceOf(SharedArrayBuffer)
  })

  it('of no line is one, too', async () => {
    expect(await openTestIndex(emptyFolder()).write([])).toMatchObject({
      lines: 0,
      bytes: 0,
      first: '',
      last: '',
    })
  })
})
