import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { referencePages } from '#infra/local/reference/pages.ts'
import { invalidReasons } from '#src/domain/kernel/invalid-message.ts'
import { byWeight } from '#src/processors/runtime/results.ts'
import { testSystem } from '../app/archive.ts'

const folder = join(import.meta.dirname, '../../docs/reference')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

it('the pages made from the declarations are as `npm run reference` writes them', async () => {
  const pages = referencePages(await testSystem())
  expect(Object.keys(pages)).toEqual(['settings.md', 'topics.md', 'events.md', 'errors.md'])
  for (const [name, page] of Object.entries(pages))
    expect(read(name), `docs/reference/${name}: npm run reference`).toBe(page)
})

it('the life of a message names each outcome, each reason of a dead letter, and nothing else', () => {
  const page = read('life-of-a-message.md')
  for (const name of [...byWeight, ...invalidReasons]) expect(page).toContain(`\`${name}\``)
  const named = [...page.matchAll(/dead letter, `([\w-]+)`/g)].map(([, reason]) => reason)
  expect(named.length).toBeGreaterThan(5)
  expect(invalidReasons).toEqual(expect.arrayContaining(named))
})
