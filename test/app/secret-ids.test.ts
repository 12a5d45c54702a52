import { expect, it } from 'vitest'
import { secretIds } from '#src/app/secret-ids.ts'
import { testSystem } from './archive.ts'

it('Q45 ids of contents are the same for an archive, and another one cannot make them; without references they stay', async () => {
  const [one, other] = [
    await testSystem({ personalValues: 'on' }),
    await testSystem({ personalValues: 'on' }),
  ]
  const again = await testSystem({ personalValues: 'on', home: one.config.home })
  const ids = await Promise.all([one, again, other].map(async (system) => (await secretIds(system))('x')))
  expect(ids[1]).toBe(ids[0])
  expect(ids[2]).not.toBe(ids[0])
  expect((await secretIds(await testSystem()))('x')).toBe('x')
})
