import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { workflows } from '#src/workflows/all.ts'

const folder = new URL('../../src/api/', import.meta.url)
// The API knows people as those who sign in, and as those who read it; PREMIS is a format that it answers in.
const names = workflows.map(({ name }) => name).filter((name) => name !== 'people' && name !== 'premis')

it.each(globSync('**/*.ts', { cwd: folder }))('src/api/%s names no workflow', (file) => {
  const text = readFileSync(new URL(file, folder), 'utf8')
  // A word of fp-ts, too: `E.chain`.
  expect(names.filter((name) => new RegExp(`(?<!E\\.)\\b${name}`, 'i').test(text))).toEqual([])
})
