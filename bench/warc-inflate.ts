import { crc32, inflateRawSync } from 'node:zlib'
import { createInflater } from '@fonds/warc/read'

/* The bare inflate of gzip members one by one, each with its CRC: what no reader in Node can do without. Gives how many there were. */

const headerLength = 10
const trailerLength = 8

const check = (crc: number, packed: Buffer, at: number): void => {
  if (crc !== packed.readUInt32LE(at)) throw new Error(`wrong CRC at ${at}`)
}

/** By Node's public call, which inflates a member into a buffer of its own. */
export const inflateSync = (packed: Buffer): number => {
  let members = 0
  for (let at = 0; at < packed.length; members++) {
    const { buffer, engine } = inflateRawSync(packed.subarray(at + headerLength), {
      info: true,
      chunkSize: 64 * 1024,
    }) as unknown as { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } }
    at += headerLength + engine.bytesWritten
    check(crc32(buffer), packed, at)
    at += trailerLength
  }
  return members
}

/** By one zlib handle for all members, into one buffer. */
export const inflateByHandle = (packed: Buffer): number => {
  const inflater = createInflater()
  const into = Buffer.allocUnsafeSlow(256 * 1024)
  let members = 0
  for (let at = 0; at < packed.length; members++) {
    at += headerLength
    inflater.begin()
    let crc = 0
    do {
      inflater.step(packed, at, packed.length, into, 0, into.length)
      at += inflater.consumed
      crc = crc32(into.subarray(0, inflater.produced), crc)
    } while (!inflater.isEnded)
    check(crc, packed, at)
    at += trailerLength
  }
  inflater.close()
  return members
}
