import { expect, it } from 'vitest'
import { createSortedObjects } from '../../../../../infra/content/s3/inventory/sorted-objects.ts'

const object = (key: string) => ({ key, size: 1, etag: 'e', modifiedAt: '2026-01-01T00:00:00.000Z' })

it('a disk that is full is told, with what to do', () => {
  const objects = createSortedObjects({ maxPages: 100 })
  const fill = () => {
    for (let i = 0; i < 100_000; i++) objects.add(object(`key ${i}`))
  }
  expect(fill).toThrow(
    /the inventory cannot be sorted: database or disk is full; name a folder with more room/,
  )
  objects.close()
})

it('lists behind a key, also behind one that is not there', async () => {
  const objects = createSortedObjects()
  for (const key of ['c', 'a/2', 'b', 'a/1']) objects.add(object(key))
  objects.sort()
  const keysBehind = async (startAfter: string, prefix?: string) => {
    const found: string[] = []
    for await (const page of objects.list({ startAfter, prefix }))
      found.push(...page.objects.map(({ key }) => key))
    return found
  }
  expect(await keysBehind('a/1')).toEqual(['a/2', 'b', 'c'])
  expect(await keysBehind('a/1', 'a/')).toEqual(['a/2'])
  expect(await keysBehind('a/0', 'a/')).toEqual(['a/1', 'a/2'])
  expect(await keysBehind('bb')).toEqual(['c'])
  objects.close()
})
