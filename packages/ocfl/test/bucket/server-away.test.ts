import { expect, it } from 'vitest'
import { ark, versionOf } from '../root-folder.ts'
import { prefix, useBucket } from './bucket-root.ts'
import { expectValid } from './valid-root.ts'

it('what a write leaves while the server is away is removed at the next start, though the process ended well', async () => {
  const use = useBucket()
  let isAway = false
  const root = await use.open(
    async (name, key) => {
      if (name === 'put' && key.includes('/v1/content/') && key.endsWith('/b')) isAway = true
      if (isAway) throw new Error('connect ECONNREFUSED')
    },
    { puts: { puts: 1 } },
  )
  const version = versionOf(ark, 0, [use.file('a', 'one'), use.file('b', 'two')])
  await expect(root.write(version)).rejects.toThrow('ECONNREFUSED')
  isAway = false
  await root.close()
  use.end(root.process)
  const left = () => [...use.texts().keys()].filter((key) => key.includes('/v1/content/'))
  expect(left()).not.toEqual([])

  const next = await use.open()
  await next.recover()
  expect(left()).toEqual([])
  expectValid(use.texts(), `${prefix}/`)
})
