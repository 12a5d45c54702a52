import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { createBucketStore } from '#infra/content/s3/store.ts'
import { contentStoreContract } from '../../contracts/content-store.ts'
import { s3Calls } from '../../fakes/s3-calls.ts'
import { server } from '../servers.ts'
import { keysInEnvironment, placeOf } from './server-address.ts'

/* The port of content, on buckets of real servers, through the client and the usual chain of credentials. */

/** moto finds no route to a key with a line feed. */
const lacking = { s3: [], moto: ['two\nlines'] } as const

for (const name of ['s3', 'moto'] as const) {
  const found = server(name)
  describe.skipIf('absent' in found)(`content on ${name}`, () => {
    const { endpoint, keys } = placeOf('absent' in found ? 'http://absent' : found.address)
    keysInEnvironment(keys)

    for (const prefix of ['', 'some/prefix/'])
      contentStoreContract(
        `${name}, ${prefix || 'a whole bucket'}`,
        async () => {
          const bucket = `content-${randomUUID().slice(0, 8)}`
          const calls = s3Calls(endpoint, keys)
          expect(await calls.call('PUT', `/${bucket}`)).toMatchObject({ status: 200 })
          await calls.close()
          return { store: createBucketStore({ bucket, prefix }, { endpoint }), dispose: async () => {} }
        },
        { listsNoClaims: true, readsOneVersion: true, lacksNames: lacking[name] },
      )
  })
}
