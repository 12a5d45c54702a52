import { type Algorithm, algorithms } from '@fonds/digests'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { digestAtOnce, multiHash } from '../../../src/workers/fixity/hash.ts'

const digests = async (wanted: readonly Algorithm[], ...chunks: readonly Uint8Array[]) => {
  const hash = await multiHash(wanted)
  for (const chunk of chunks) hash.update(chunk)
  return Object.fromEntries(hash.digest().map(({ algorithm, value }) => [algorithm, value]))
}

describe('multiHash', () => {
  // FIPS 180-4 and RFC 1321 examples; BLAKE2 from RFC 7693; CRC-32C from RFC 3720 B.4 and the catalogue of parametrised CRC algorithms.
  test('known digests of "abc"', async () => {
    expect(await digests(algorithms, Buffer.from('abc'))).toEqual({
      md2: 'da853b0d3f88d99b30283a69e6ded6bb',
      md4: 'a448017aaf21d8525fc10ae87aa6729d',
      'md5-sha1': '900150983cd24fb0d6963f7d28e17f72a9993e364706816aba3e25717850c26c9cd0d89d',
      'ripemd-160': '8eb208f7e05d987a9b044a8e98c6b087f15a0bfc',
      'sha-512/224': '4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa',
      'sha-512/256': '53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23',
      'shake128-128': '5881092dd818bf5cf8a3ddb793fbcba7',
      'shake128-256': '5881092dd818bf5cf8a3ddb793fbcba74097d5c526a6d35f97b83351940f2cc8',
      'shake256-256': '483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739',
      'shake256-512':
        '483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739d5a15bef186a5386c75744c0527e1faa9f8726e462a12a4feb06bd8801e751e4',
      sm3: '66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0',
      whirlpool:
        '4e2448a4c6f486bb16b6562c73b4020bf3043e3a731bce721ae1b303d97e6d4c7181eebdb6c57e277d0e34957114cbd6c797fc9d95d8b582d225292076d4eef5',
      adler32: '024d0127',
      'blake2s-128': 'aa4938119b1dc7b87cbad0ffd200d0ae',
      'blake2s-160': '5ae3b99be29b01834c3b508521ede60438f8de17',
      'blake2s-224': '0b033fc226df7abde29f67a05d3dc62cf271ef3dfea4d387407fbd55',
      'blake2s-256': '508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982',
      md5: '900150983cd24fb0d6963f7d28e17f72',
      'sha-1': 'a9993e364706816aba3e25717850c26c9cd0d89d',
      'sha-256': 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      'sha-512':
        'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
      'blake2b-160': '384264f676f39536840523f284921cdc68b6846b',
      'blake2b-256': 'bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319',
      'blake2b-384':
        '6f56a82c8e7ef526dfe182eb5212f7db9df1317e57815dbda46083fc30f54ee6c66ba83be64b302d7cba6ce15bb556f4',
      'blake2b-512':
        'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
      blake3: '6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85',
      crc32: '352441c2',
      'sha-224': '23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7',
      'sha-384':
        'cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7',
      'sha3-224': 'e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf',
      'sha3-256': '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532',
      'sha3-384':
        'ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25',
      'sha3-512':
        'b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0',
      crc32c: '364b3fb7',
      crc64nvme: '05e5cabb3fc1faeb',
    })
  })

  test('of bytes that are there the same digests at once, where Node computes them all', async () => {
    const bytes = Buffer.from('abc')
    for (const algorithm of algorithms) {
      const [found] = digestAtOnce([algorithm], bytes) ?? []
      if (found) expect({ [algorithm]: found.value }).toEqual(await digests([algorithm], bytes))
    }
    expect(digestAtOnce(['sha-512', 'md5'], bytes)?.map(({ algorithm }) => algorithm)).toEqual([
      'sha-512',
      'md5',
    ])
    expect(digestAtOnce(['md5', 'blake3'], bytes)).toBeUndefined()
  })

  test('known digests of nothing', async () => {
    expect(await digests(algorithms)).toMatchObject({
      md5: 'd41d8cd98f00b204e9800998ecf8427e',
      'sha-1': 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
      'sha-256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      crc32c: '00000000',
    })
  })

  test.each([
    [Buffer.from('123456789'), 'e3069283'],
    [Buffer.alloc(32), '8a9136aa'],
    [Buffer.alloc(32, 0xff), '62a8ab43'],
    [Buffer.from(Array.from({ length: 32 }, (_, i) => i)), '46dd794e'],
  ])('known CRC-32C %#', async (bytes, value) => {
    expect(await digests(['crc32c'], bytes)).toEqual({ crc32c: value })
  })

  test('several under way at once do not touch each other', async () => {
    const [first, second] = [await multiHash(['crc32c', 'md5']), await multiHash(['crc32c', 'md5'])]
    first.update(Buffer.from('12345'))
    second.update(Buffer.from('ab'))
    first.update(Buffer.from('6789'))
    second.update(Buffer.from('c'))
    expect(first.digest()[0]?.value).toBe('e3069283')
    expect(second.digest()[0]?.value).toBe('364b3fb7')
    expect(await digests(['crc32c'], Buffer.from('123456789'))).toEqual({ crc32c: 'e3069283' })
  })

  test('an algorithm asked for twice is given once, in the order of asking', async () => {
    const hash = await multiHash(['sha-1', 'md5', 'sha-1'])
    expect(hash.digest().map(({ algorithm }) => algorithm)).toEqual(['sha-1', 'md5'])
  })

  test('how the bytes are cut does not matter', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), async (chunks) => {
        expect(await digests(algorithms, ...chunks)).toEqual(await digests(algorithms, Buffer.concat(chunks)))
      }),
    )
  })
})
