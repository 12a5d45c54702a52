import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sectionsIn } from '../../dashboard/src/pages/words/sections.ts'

const text = readFileSync(join(import.meta.dirname, '../../docs/words.md'), 'utf8')

it('reads every word of the document of words, each once within its part', () => {
  const sections = sectionsIn(text)
  const rows = text.split('\n').filter((line) => /^\| (?!word \|)[^-]/.test(line))
  expect(sections.flatMap(({ words }) => words)).toHaveLength(rows.length)
  expect(rows.length).toBeGreaterThan(50)
  for (const { title, words } of sections)
    expect(new Set(words.map(([word]) => word)).size, title).toBe(words.length)
})

it('leaves out the marks of code, links and emphasis', () => {
  expect(sectionsIn('## A\n| word | means |\n|---|---|\n| as of | `--as-of`, *as* [it](x.md) was |')).toEqual(
    [{ title: 'A', words: [['as of', '--as-of, as it was']] }],
  )
})
