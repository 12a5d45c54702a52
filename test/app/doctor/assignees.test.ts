import { left } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { assignees } from '../../../src/app/doctor/assignees.ts'
import { askCommand } from '../../../src/cli/ask-command.ts'
import { testSystem } from '../archive.ts'

const by = { actor: 'ben', reason: 'a test' }
const gone = 'person#00000000-0000-4000-8000-000000000001'

it('names those to whom something was given and whom no mail reaches, with the way out', async () => {
  const system = await testSystem()
  await askCommand(system, 'people.add', { mail: 'ada@archive.example' }, by)
  const { reference } = ((await system.people.list()()) as { right: readonly { reference: string }[] })
    .right[0]!
  const found = await assignees(system, new Map([...[[reference, 1]], [gone, 2]] as [string, number][]))
  expect(found).toMatchObject([
    {
      status: 'warn',
      says: expect.stringContaining(`2 things given to ${gone}`),
      todo: expect.stringContaining(`fonds people add <mail> --reference ${gone}`),
    },
  ])
  expect(await assignees(system, new Map())).toEqual([])
})

it('says nothing where names and addresses cannot be read: that has a line of its own', async () => {
  const { people } = await testSystem()
  const damaged = {
    ...people,
    find: () => async () => left({ kind: 'Unavailable', reason: 'it is damaged' } as const),
  }
  expect(await assignees({ people: damaged }, new Map([[gone, 1]]))).toEqual([])
})
