import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { defaultProfile } from '#src/domain/ingest/profile/profile.ts'
import { deletionsIn } from '#src/workers/ingest/describe/deletions.ts'
import { readProducerWords } from '#src/workers/ingest/describe/producer-words.ts'

it.each(['\n', '\r', '\r\n'])("a depositor's files are read with lines that end in %j", async (end) => {
  const producer = mkdtempSync(join(tmpdir(), 'fonds-producer-'))
  onTestFinished(() => rmSync(producer, { recursive: true, force: true }))
  const texts = {
    'mrt-erc.txt': ['erc:', 'who: Eve', 'what: Boxes', 'where: box-10', ''],
    'mrt-delete.txt': ['a.txt', 'sub/b.txt', ''],
    'mrt-embargo.txt': ['', 'embargoEndDate: 2027-01-01', ''],
  }
  const files = Object.entries(texts).map(([name, lines]) => {
    const text = `\uFEFF${lines.join(end)}`
    writeFileSync(join(producer, name), text)
    return { path: `producer/${name}`, size: Buffer.byteLength(text), sha256: '' }
  })
  const words = await readProducerWords(producer, files, defaultProfile)
  expect(words.kernel).toMatchObject({ who: 'Eve', what: 'Boxes' })
  expect(words.localIds).toEqual(['box-10'])
  expect(words.embargoUntil).toBe('2027-01-01')
  const there = ['producer/a.txt', 'producer/sub/b.txt']
  expect(deletionsIn(words.deleteList ?? '', there)).toEqual({ paths: there, warning: undefined })
})
