import { type ZstdDecompress, zstdDecompress } from 'node:zlib'
import { tooLarge, UnreadableBatch } from './output.ts'

/** With the decoder, which knows how much of the input it took. */
interface Frame {
  readonly buffer: Buffer
  readonly engine: Pick<ZstdDecompress, 'bytesWritten'>
}

/** Reads every frame (RFC 8878 §3.1): Node 24 ends behind the first one, and says nothing. Throws `UnreadableBatch`, or an error of zlib. */
export const decompressZstd = async (input: Buffer, maxBytes: number): Promise<Buffer> => {
  const parts: Buffer[] = []
  let length = 0
  for (let at = 0; at < input.length; ) {
    const { buffer, engine } = await firstFrame(input.subarray(at), Math.max(1, maxBytes - length))
    length += buffer.length
    if (length > maxBytes) throw tooLarge(maxBytes)
    if (engine.bytesWritten === 0) throw new UnreadableBatch('its Zstandard frames do not end')
    parts.push(buffer)
    at += engine.bytesWritten
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts, length)
}

const firstFrame = (input: Buffer, maxOutputLength: number): Promise<Frame> =>
  new Promise((resolve, reject) =>
    zstdDecompress(input, { maxOutputLength, info: true }, (error, frame) =>
      error ? reject(error) : resolve(frame as unknown as Frame),
    ),
  )
