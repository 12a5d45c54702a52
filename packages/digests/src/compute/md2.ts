/*
 * MD2 (RFC 1319), which libraries no longer offer: old manifests have it. It detects a damaged byte, but no
 * forgery.
 */

const substitutes = Buffer.from(
  '292e43c9a2d87c013d3654a1ecf0061362a705f3c0c7738c98932bd9bc4c82ca1e9b573cfdd4e01667426f188a17e512be4ec4d6da9ede49a0fbf58ebb2fee7a' +
    'a968799115b2073f94c210890b225f21807f5d9a5a903227353ecce7bff79703ff1930b348a5b5d1d75e922aac56aac64fb838d296a47db676fc6be29c7404f1' +
    '459d705964718720865bcf65e62da8021b6025adaeb0b9f61c46616934407e0f5547a323dd51af3ac35cf9cebac5ea262c530d6e85288409d3dfcdf441814d52' +
    '6adc37c86cc1abfa24e17b080cbdb14a7888958be363e86de9cbd5fe3b001d39f2efb70e6658d0e4a67772f8eb754b0a314450b48fed1f1adb998d339f118314',
  'hex',
)
const blockBytes = 16
const rounds = 18

/** The result is lower-case hex. */
export const createMd2 = () => {
  const state = new Uint8Array(3 * blockBytes)
  const checksum = new Uint8Array(blockBytes)
  let rest: Uint8Array = new Uint8Array(0)

  const mix = (block: Uint8Array): void => {
    for (let i = 0; i < blockBytes; i++) {
      state[blockBytes + i] = block[i]!
      state[2 * blockBytes + i] = block[i]! ^ state[i]!
    }
    let last = 0
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < state.length; i++) {
        last = state[i]! ^ substitutes[last]!
        state[i] = last
      }
      last = (last + round) % 256
    }
  }
  const take = (block: Uint8Array): void => {
    let last = checksum[blockBytes - 1]!
    for (let i = 0; i < blockBytes; i++) {
      last = checksum[i]! ^ substitutes[block[i]! ^ last]!
      checksum[i] = last
    }
    mix(block)
  }
  const update = (chunk: Uint8Array): void => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    for (; at + blockBytes <= bytes.length; at += blockBytes) take(bytes.subarray(at, at + blockBytes))
    // The chunk's buffer may be reused.
    rest = Uint8Array.from(bytes.subarray(at))
  }
  return {
    update,
    end: (): string => {
      const missing = blockBytes - rest.length
      update(new Uint8Array(missing).fill(missing))
      mix(checksum)
      return Buffer.from(state.subarray(0, blockBytes)).toString('hex')
    },
  }
}
