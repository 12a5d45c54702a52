import { left } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { recipients } from '../../../src/app/doctor/recipients.ts'
import { testSystem } from '../archive.ts'

const gone = 'person#00000000-0000-4000-8000-000000000001'
const config = {
  reports: `daily to=${gone},ada@archive.example; weekly to=${gone} when=wrong`,
  noticesMail: `ben@archive.example, ${gone}`,
}

it('names once for each setting those whom it names and whom no mail reaches, with the way out', async () => {
  const { people } = await testSystem()
  expect(await recipients({ people, config })).toMatchObject(
    ['reports', 'noticesMail'].map((setting) => ({
      ...{ check: 'recipients', status: 'warn' },
      says: expect.stringContaining(`${setting} names ${gone}`),
      todo: expect.stringContaining(`fonds people add <mail> --reference ${gone}`),
    })),
  )
})

it('finds nothing where all have an address, or nothing is set', async () => {
  const { people } = await testSystem()
  expect(await recipients({ people, config: { noticesMail: 'ben@archive.example' } as never })).toEqual([])
  expect(await recipients({ people, config: {} as never })).toEqual([])
})

it('finds nothing where names and addresses cannot be read: that has a line of its own', async () => {
  const { people } = await testSystem()
  const find = () => async () => left({ kind: 'Unavailable', reason: 'it is damaged' } as const)
  expect(await recipients({ people: { ...people, find }, config })).toEqual([])
})
