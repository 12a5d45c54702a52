import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it, test } from 'vitest'
import { bucketEventsTopic, itemsOf } from '#src/domain/fixity/bucket-events.ts'
import { changesIn } from '#src/domain/kernel/bucket-notification.ts'
import { fromLine } from '#src/domain/kernel/cloud-event.ts'
import shapes from './bucket-events.json' with { type: 'json' }

const at = '2026-01-31T12:00:00.000Z'
const changes = (json: unknown) => {
  const read = fromLine(json, bucketEventsTopic, { id: '1', source: 'bucket', time: at })
  if (isLeft(read)) throw new Error(JSON.stringify(read.left))
  return changesIn(read.right.data as Parameters<typeof changesIn>[0])
}

describe('a notification, as it is sent', () => {
  test.each(shapes)('$name', ({ message, changes: expected }) => {
    expect(changes(message)).toMatchObject(expected)
  })

  it('of another kind is refused, with the field', () => {
    const read = fromLine({ Records: [{ eventName: 'ObjectCreated:Put' }] }, bucketEventsTopic, {
      id: '1',
      source: 'bucket',
      time: at,
    })
    expect(read).toMatchObject({ left: { reason: 'wrong-shape' } })
  })

  it('has no change for a key that is encoded wrongly', () => {
    const record = {
      eventName: 'ObjectCreated:Put',
      eventTime: at,
      s3: { bucket: { name: 'b' }, object: { key: '%E0%A4' } },
    }
    expect(changes({ Records: [record] })).toEqual([])
  })
})

describe('an object of a bucket', () => {
  const stores = [
    { store: 'all', root: 's3://archive' },
    { store: 'main', root: 's3://archive/main/' },
    { store: 'mainly', root: 's3://archive/mainly' },
    { store: 'other', root: 's3://other' },
  ]
  const found = (key: string, bucket = 'archive') =>
    itemsOf({ bucket, key }, stores).map(({ store, path }) => `${store}:${path}`)

  it('is an item of each store that has it', () => {
    expect(found('main/letters/03.tif')).toEqual(['all:main/letters/03.tif', 'main:letters/03.tif'])
    expect(found('mainly/x')).toEqual(['all:mainly/x', 'mainly:x'])
    expect(found('x', 'elsewhere')).toEqual([])
  })

  it.each(['main/', 'main//x', '/x', 'a/../b'])('of the key %s is no item', (key) => {
    expect(found(key)).toEqual([])
  })
})
