import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expanded } from '#infra/local/reference/decision-table.ts'
import { docs, referencePages } from '#infra/local/reference/pages.ts'
import { rules } from '#src/domain/fixity/rules.ts'
import { invalidReasons } from '#src/domain/kernel/invalid-message.ts'
import { byWeight } from '#src/processors/runtime/results.ts'
import { testSystem } from '../app/archive.ts'

const read = (name: string) => readFileSync(join(docs, name), 'utf8')

it('the pages made from the declarations are as `npm run reference` writes them', async () => {
  const pages = await referencePages(await testSystem())
  expect(Object.keys(pages)).toHaveLength(7)
  for (const [name, page] of Object.entries(pages))
    expect(read(name), `docs/${name}: npm run reference`).toBe(page)
})

it('the life of a message names each outcome, each reason of a dead letter, and nothing else', () => {
  const page = read('reference/life-of-a-message.md')
  for (const name of [...byWeight, ...invalidReasons]) expect(page).toContain(`\`${name}\``)
  const named = [...page.matchAll(/dead letter, `([\w-]+)`/g)].map(([, reason]) => reason)
  expect(named.length).toBeGreaterThan(5)
  expect(invalidReasons).toEqual(expect.arrayContaining(named))
})

it('patterns of fixity are spelt out as the rules match them', () => {
  const values = [...'ABC-n?x']
  const four = values.flatMap((a) =>
    values.flatMap((b) => values.flatMap((c) => values.map((d) => a + b + c + d))),
  )
  const fits = (spelt: string) => (word: string) =>
    [...spelt].every((value, i) => value === '.' || value === word[i])
  for (const [pattern] of rules) {
    const spelt = expanded(pattern.source.slice(2, -2)).map(fits)
    const found = four.filter((word) => spelt.some((one) => one(word)))
    expect(found.length).toBeGreaterThan(0)
    expect(found, pattern.source).toEqual(four.filter((word) => pattern.test(word)))
  }
})
