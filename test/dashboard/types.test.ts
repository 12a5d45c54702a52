import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { asOfFile, asOfRoutesOf, typesFile, typesOf } from '../../dashboard/api-types.ts'
import { startServer } from '../api/server.ts'

it('the types that the page is written with are those of the API (npm run dashboard:types writes them)', async () => {
  const { document } = await startServer()
  expect(await typesOf(document)).toBe(await readFile(typesFile, 'utf8'))
  expect(await asOfRoutesOf(document)).toBe(await readFile(asOfFile, 'utf8'))
})
