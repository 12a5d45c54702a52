import { expect, it } from 'vitest'
import { startServer } from '../server.ts'

const reference = 'https://login.example#a7'
const asked = (references: readonly string[]) =>
  `/api/v1/people?${references.map((one) => `reference=${encodeURIComponent(one)}`).join('&')}`

it('people are named by reference; those whom the home does not keep are left out', async () => {
  const { get, system } = await startServer()
  expect((await get(asked([reference]))).body).toEqual({ people: [] })
  await system.people.note({ reference, name: 'Ada Example' })()
  expect((await get(asked(['r.vermeer', reference]))).body).toEqual({
    people: [{ reference, name: 'Ada Example', mail: null }],
  })
})

it('too many at once are refused, and so is nobody', async () => {
  const { get } = await startServer()
  expect(await get('/api/v1/people')).toMatchObject({ status: 400, body: { path: 'reference' } })
  const many = Array.from({ length: 101 }, (_, i) => `a#${i}`)
  expect(await get(asked(many))).toMatchObject({ status: 400, body: { path: 'reference' } })
})
