import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkBag } from '../../src/bagit/check-bag.ts'
import { writeBag } from './bags.ts'
import { conformanceBags } from './conformance-bags.ts'

describe('bags as in the conformance suite', () => {
  it.each(conformanceBags)('$name', async ({ name, bag, isValid }) => {
    const folder = mkdtempSync(join(tmpdir(), 'bag-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeBag(folder, bag)
    const { problems } = await checkBag(folder)
    expect({ name, isValid: problems.length === 0, problems }).toMatchObject({ name, isValid })
  })
})
