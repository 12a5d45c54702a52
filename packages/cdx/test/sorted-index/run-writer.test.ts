import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/runs.ts'
import { openRunWriter } from '../../src/sorted-index/write-lines.ts'
import { emptyFolder, openTestIndex, scanned } from './lines.ts'

const gnuSorted = (folder: string, lines: readonly string[]): string => {
  const input = join(folder, 'input')
  writeFileSync(input, lines.map((line) => `${line}\n`).join(''))
  const env = { ...process.env, LC_ALL: 'C' }
  return execFileSync('sort', ['-u', input], { env, encoding: 'utf8' })
}

const anyLine = fc.oneof(
  fc.constantFrom('a b', 'a', 'B', 'é', '\u{1f600}', '\uffee', ' CDX N b a'),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .map((text) => text.replaceAll(/[\n\r\0]/g, '_')),
)

const written = (folder: string, lines: readonly string[], maxSortBytes?: number) => {
  const writer = openRunWriter(folder, maxSortBytes)
  for (const line of lines) writer.add(line)
  return writer.end()
}

describe('a run that a reading thread writes', () => {
  it('indexing W27 is byte for byte what `LC_ALL=C sort -u` gives, in one part or in many', () => {
    const beside = emptyFolder()
    fc.assert(
      fc.property(
        fc.array(anyLine, { maxLength: 60 }),
        fc.constantFrom(40, 300, undefined),
        (lines, maxSortBytes) => {
          const folder = join(emptyFolder(), 'runs')
          const run = written(folder, lines, maxSortBytes)
          const text = readFileSync(join(folder, `${run.name}.cdx`), 'utf8')
          expect(text).toBe(gnuSorted(beside, lines))
          expect(run).toMatchObject({ lines: new Set(lines).size, bytes: Buffer.byteLength(text) })
          expect(readdirSync(folder)).toEqual([`${run.name}.cdx`, `${run.name}.sums`])
        },
      ),
      { numRuns: runs(60) },
    )
  })

  it('has more parts than are merged at once, and lines longer than its first buffer', () => {
    const folder = emptyFolder()
    const lines = Array.from(
      { length: 500 },
      (_, n) => `${(n * 7919) % 500} ${'x'.repeat(n === 250 ? 200_000 : 40)}`,
    )
    const run = written(folder, lines, 100)
    expect(readFileSync(join(folder, `${run.name}.cdx`), 'utf8')).toBe(gnuSorted(emptyFolder(), lines))
    expect(readdirSync(folder)).toEqual([`${run.name}.cdx`, `${run.name}.sums`])
  })

  it('is published as any other', async () => {
    const folder = emptyFolder()
    const run = written(folder, ['b 2', 'a 1', 'b 2'])
    const index = openTestIndex(folder)
    expect(await index.change([{ kind: 'publish', file: 'main/a', run, position: 1n }])).toEqual([])
    expect(await scanned(index)).toEqual(['a 1', 'b 2'])
  })

  it('indexing W16 leaves nothing behind when it is discarded, or a line cannot stand in the index', () => {
    const folder = emptyFolder()
    const writer = openRunWriter(folder, 70_000)
    for (let i = 0; i < 20_000; i++) writer.add(`line ${i}`)
    expect(readdirSync(folder)).not.toEqual([])
    writer.discard()
    expect(readdirSync(folder)).toEqual([])
    const refused = openRunWriter(folder, 70_000)
    for (let i = 0; i < 20_000; i++) refused.add(`line ${i}`)
    refused.add('a \0')
    expect(() => refused.end()).toThrow('NUL')
    refused.discard()
    expect(readdirSync(folder)).toEqual([])
  })
})
