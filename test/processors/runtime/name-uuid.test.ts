import fc from 'fast-check'
import { v5 as uuidv5 } from 'uuid'
import { expect, test } from 'vitest'
import { nameUuids } from '../../../src/processors/runtime/name-uuid.ts'
import { accounts } from './account.ts'
import { at, deposit, executorOn } from './commands.ts'
import { streamOf, useFolder } from './log.ts'

const { openLog } = useFolder()
const namespace = '5d5d1b5e-6d9b-5a0e-9a53-0c7a0a5e6f10'

test('lines have the UUID that RFC 9562 gives them together', () => {
  const uuidOf = nameUuids(namespace)
  const lines = fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(lines, (name) => {
      expect(uuidOf(...name)).toBe(uuidv5(name.join('\n'), namespace))
    }),
  )
  const long = ['日本'.repeat(5000), 'Zoë']
  expect(uuidOf(...long)).toBe(uuidv5(long.join('\n'), namespace))
  expect(nameUuids('6ba7b810-9dad-11d1-80b4-00c04fd430c8')('www.example.com')).toBe(
    '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  )
})

/* Relayed and sent messages carry these ids, and a repeated append is recognised by them. Made by Python's `uuid.uuid5`. */
test('the ids of events stay what they were', async () => {
  const store = openLog()
  const execute = executorOn(store)
  await execute(accounts, deposit(5, { stream: 'account-1', causationId: 'c' }))
  await execute(accounts, deposit(5, { stream: 'account-Zoë/日本', causationId: 'bank#🏛' }))
  const [plain] = await streamOf(store, 'account-1')
  const [foreign] = await streamOf(store, 'account-Zoë/日本')
  expect(plain).toMatchObject({
    id: 'c9e836a3-09d5-54cb-9a1e-1a23d7060e09',
    data: { amount: 5, at },
  })
  expect(foreign?.id).toBe('936a98e7-2bbd-5509-ace6-a247f4a533f2')
})
