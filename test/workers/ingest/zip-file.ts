import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  readonly name: string | Uint8Array
  readonly bytes: Uint8Array
  readonly stored?: boolean
  /** Unix mode, with the type of file. */
  readonly mode?: number
  readonly encrypted?: boolean
  readonly method?: number
  /** Said to be so many. */
  readonly size?: number
  readonly crc?: number
  /** General purpose bit 11. */
  readonly utf8?: boolean
  /** Default: Unix (3). */
  readonly madeOn?: number
  /** Extra fields of the directory. */
  readonly extra?: Uint8Array
}

/** A zip, as wrong as the test wants it. */
export const zipOf = (parts: readonly ZipPart[]): Buffer => {
  const chunks: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const part of parts) {
    const name = Buffer.from(part.name as Uint8Array)
    const data = part.stored ? Buffer.from(part.bytes) : deflateRawSync(part.bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE((part.encrypted ? 1 : 0) | (part.utf8 ? 1 << 11 : 0), 2)
    common.writeUInt16LE(part.method ?? (part.stored ? 0 : 8), 4)
    common.writeUInt32LE(part.crc ?? crc32(part.bytes), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(part.size ?? part.bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    chunks.push(Buffer.from('PK\x03\x04'), common, name, data)
    const extra = Buffer.from(part.extra ?? [])
    const ofDirectory = Buffer.from(common)
    ofDirectory.writeUInt16LE(extra.length, 24)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(((part.mode ?? 0o100644) << 16) >>> 0, 6)
    rest.writeUInt32LE(at, 10)
    directory.push(
      Buffer.from('PK\x01\x02'),
      Buffer.from([20, part.madeOn ?? 3]),
      ofDirectory,
      rest,
      name,
      extra,
    )
    at += 30 + name.length + data.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...chunks, ...directory, end])
}
