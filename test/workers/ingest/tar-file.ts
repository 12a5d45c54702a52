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
