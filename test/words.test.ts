import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/* A comment names its subject first. One that begins with What, Of or Who has to be read twice. */

const root = join(import.meta.dirname, '..')
const beginning = /^\s*(?:\/\*\*|\*|\/\/|\/\*) (?:What|Of|Who|Whoever)\b/

/** Part of the text of a script, whose hash browsers compare. */
const texts = ['src/api/entry-page.ts']

describe('comments that begin with What, Of or Who', () => {
  it.each(['packages/*/src/**/*.ts', 'src/**/*.ts', 'infra/**/*.ts'])('are not in %s', (rooms) => {
    const files = globSync(rooms, { cwd: root, exclude: texts })
    expect(files.length).toBeGreaterThan(100)
    const found = files.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, i) => (beginning.test(line) ? [`${file}:${i + 1}`] : [])),
    )
    expect(found).toEqual([])
  })

  it.each(['/** What is kept. */', '  // Of a run', ' * Whoever reads it'])('such as %s', (line) => {
    expect(beginning.test(line)).toBe(true)
  })

  it('not: a word that begins so', () => {
    expect(beginning.test('/** Offsets of a partition. */')).toBe(false)
  })
})
