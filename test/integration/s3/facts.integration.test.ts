import { describe } from 'vitest'
import type { S3Fact } from '../../contracts/s3-server/tools.ts'
import { s3ServerSuite } from '../../contracts/s3-server.ts'
import { s3Calls } from '../../fakes/s3-calls.ts'
import { type ServerName, server } from '../servers.ts'
import { placeOf } from './server-address.ts'

/* The facts that the stub of the unit tests is held to, on real servers. */

/** What each was seen not to have; a suite fails where one has learnt it. */
const lacking: readonly (readonly [ServerName, readonly S3Fact[]])[] = [
  ['s3', ['archives', 'escapedNames', 'foldersApart']],
  [
    'moto',
    [
      'access',
      'checksumOfHead',
      'checksumsAreChecked',
      'conditionalCompleteByETag',
      'defaultChecksum',
      'partNumbers',
      'readingAMarker',
    ],
  ],
]

describe.each(lacking)('facts of S3 on %s', (name, lacks) => {
  const found = server(name)
  describe.skipIf('absent' in found)('as the stub has them', () => {
    s3ServerSuite(async () => {
      if ('absent' in found) throw new Error(found.absent)
      const { endpoint, keys } = placeOf(found.address)
      return { calls: s3Calls(endpoint, keys), dispose: async () => {} }
    }, lacks)
  })
})
