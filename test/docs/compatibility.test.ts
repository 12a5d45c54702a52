import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const docs = join(import.meta.dirname, '../../docs')
const page = readFileSync(join(docs, 'compatibility.md'), 'utf8')
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| program'))

describe('the page of compatibility', () => {
  it.each(rows)('names a program with its version, and a test that there is: %s', (row) => {
    const cells = row
      .slice(2, -2)
      .split(/(?<!\\) \| /)
      .map((cell) => cell.trim())
    expect(cells).toHaveLength(4)
    const [program = '', , , tests = ''] = cells
    expect(program).toMatch(/\d/)
    const links = [...tests.matchAll(/\[([^\]]+)\]\(([^)\s]+)\)/g)]
    expect(links.length).toBeGreaterThan(0)
    for (const [, title = '', path = ''] of links)
      expect(readFileSync(join(docs, path), 'utf8')).toContain(title)
  })
})
