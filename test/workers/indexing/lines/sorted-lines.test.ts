import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openLineReader } from '#src/workers/indexing/lines/line-reader.ts'
import { createSortedLines } from '#src/workers/indexing/lines/sorted-lines.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const bySort = (folder: string, lines: readonly string[]): string => {
  const input = join(folder, 'input')
  writeFileSync(input, lines.map((line) => `${line}\n`).join(''))
  return execFileSync('sort', ['-u', input], {
    env: { ...process.env, LC_ALL: 'C' },
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
}

const line = fc.oneof(
  fc.constantFrom('a b', 'a', 'B', 'é', '\u{1f600}', '\uffee', '', ' CDX N b a'),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll(/[\n\r\0]/g, '_')),
)

describe('W27 sorted lines', () => {
  it('are byte for byte what `LC_ALL=C sort -u` gives, in one part or in many', () => {
    const folder = temporaryFolder()
    let files = 0
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 60 }),
        fc.constantFrom(1, 40, 1_000_000),
        (lines, mostBytes) => {
          const path = join(folder, String(files++))
          const sorted = createSortedLines(path, mostBytes)
          for (const one of lines) sorted.add(one)
          const written = sorted.end()
          const text = readFileSync(path, 'utf8')
          expect(text).toBe(bySort(folder, lines))
          expect(written).toEqual({
            lines: new Set(lines).size,
            digest: createHash('sha256').update(text).digest('hex'),
          })
        },
      ),
      { numRuns: 60 },
    )
    expect(readdirSync(folder).filter((name) => name.includes('.'))).toEqual([])
  })

  it('may be longer than any block', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'lines')
    const lines = ['b', `a ${'x'.repeat(3_000_000)}`, 'c', `a ${'w'.repeat(700_000)}`]
    const sorted = createSortedLines(path, 10)
    for (const one of lines) sorted.add(one)
    expect(sorted.end().lines).toBe(4)
    expect(readFileSync(path, 'utf8')).toBe(bySort(folder, lines))
  })

  it('leave nothing behind when they are discarded', () => {
    const folder = temporaryFolder()
    const sorted = createSortedLines(join(folder, 'lines'), 10)
    for (let i = 0; i < 100; i++) sorted.add(`line ${i}`)
    expect(readdirSync(folder)).not.toEqual([])
    sorted.discard()
    expect(readdirSync(folder)).toEqual([])
  })

  it('are never written over a file that is there', () => {
    const path = join(temporaryFolder(), 'lines')
    writeFileSync(path, 'mine')
    expect(() => createSortedLines(path).end()).toThrow('EEXIST')
    expect(readFileSync(path, 'utf8')).toBe('mine')
  })
})

it('a reader gives lines of any length', () => {
  const path = join(temporaryFolder(), 'lines')
  const lines = ['', 'x'.repeat(262_143), 'y'.repeat(262_144), 'z'.repeat(600_000), 'end']
  writeFileSync(path, lines.map((one) => `${one}\n`).join(''))
  const reader = openLineReader(path)
  const read: string[] = []
  for (let one = reader.next(); one; one = reader.next()) read.push(one.toString())
  reader.close()
  expect(read).toEqual(lines)
})
