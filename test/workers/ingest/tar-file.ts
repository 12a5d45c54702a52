import { pack } from 'tar-stream'

export interface TarPart {
  readonly name: string
  readonly bytes?: string
  readonly type?: 'file' | 'directory' | 'symlink' | 'link' | 'character-device' | 'fifo'
  readonly linkname?: string
  readonly pax?: Readonly<Record<string, string>>
}

export const tarOf = async (parts: readonly TarPart[]): Promise<Buffer> => {
  const tar = pack()
  for (const { name, bytes = '', type = 'file', linkname = 'x', pax } of parts) {
    const to = type === 'symlink' || type === 'link' ? { linkname } : {}
    tar.entry({ name, type, ...to, ...(pax && { pax }) }, bytes)
  }
  tar.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of tar) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

export interface RawTarPart {
  readonly name: string | Uint8Array
  readonly prefix?: string | Uint8Array
  /** A file (`0`) where it is not given. */
  readonly type?: string
  readonly bytes: Uint8Array
  /** Of its header. Default: POSIX. */
  readonly magic?: string
}

/** A tar whose headers have those bytes. */
export const rawTarOf = (parts: readonly RawTarPart[]): Buffer => {
  const blocks = parts.flatMap(({ name, prefix = '', type = '0', bytes, magic = 'ustar\x0000' }) => {
    const header = Buffer.alloc(512)
    header.set(Buffer.from(name as string))
    header.write('0000644\0', 100)
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write(type, 156)
    header.write(magic, 257, 'latin1')
    header.set(Buffer.from(prefix as string), 345)
    const sum = header.reduce((all, byte) => all + byte, 8 * 32)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}
