import { describe, expect, it } from 'vitest'
import { createSigner, emptySha256 } from '../../../infra/s3/sign.ts'

/* The example of AWS's own documentation: Authenticating Requests, GET Object. */
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const request = {
  method: 'GET',
  protocol: 'https:',
  hostname: 'examplebucket.s3.amazonaws.com',
  path: '/test.txt',
  query: {},
  headers: {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': emptySha256,
  },
}

describe('a signature', () => {
  it.each([1, 2])('is that of the example, also with a kept key (%i)', async () => {
    const signer = createSigner({ get: async () => credentials, renew: async () => {} })
    const headers = await signer.sign(request, 'us-east-1', Date.UTC(2013, 4, 24))
    expect(headers.authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
        'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, ' +
        'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    )
  })
})
