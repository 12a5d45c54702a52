import { AsyncLocalStorage } from 'node:async_hooks'
import { promisify } from 'node:util'
import { gunzip, gzip, zstdCompress } from 'node:zlib'
import kafkajs from 'kafkajs'
import { errorMessage } from '../../../../src/async/errors.ts'
import { compressLz4, decompressLz4 } from './lz4.ts'
import { tooLarge, UnreadableBatch } from './output.ts'
import { compressSnappy, decompressSnappy } from './snappy.ts'
import { decompressZstd } from './zstd.ts'

/** Bytes that the batches of one fetch may have once decompressed. Kafka limits them as they are sent: 1 MiB by default. */
export const maxFetchedBytes = 64 * 1024 * 1024

const fetched = new AsyncLocalStorage<{ left: number }>()

/** Batches that `fetch` decompresses share `maxFetchedBytes`. */
export const withinBytes = <A>(fetch: () => Promise<A>, bytes = maxFetchedBytes): Promise<A> =>
  fetched.run({ left: bytes }, fetch)

interface Codec {
  readonly compress: (input: Buffer) => Promise<Buffer>
  /** Stops where the output is about to become larger than `maxBytes`. Throws `UnreadableBatch`, or an error of zlib. */
  readonly decompress: (input: Buffer, maxBytes: number) => Buffer | Promise<Buffer>
}

const zlib = {
  gzip: promisify(gzip),
  gunzip: promisify(gunzip),
  zstd: promisify(zstdCompress),
}

type CodecType = 1 | 2 | 3 | 4

const { GZIP, Snappy, LZ4, ZSTD } = kafkajs.CompressionTypes

/** By Kafka's number. Those of zlib work beside the main thread. */
export const codecs: ReadonlyMap<CodecType, Codec> = new Map<CodecType, Codec>([
  [
    GZIP,
    { compress: zlib.gzip, decompress: (input, maxOutputLength) => zlib.gunzip(input, { maxOutputLength }) },
  ],
  [Snappy, { compress: compressSnappy, decompress: decompressSnappy }],
  [LZ4, { compress: compressLz4, decompress: decompressLz4 }],
  [ZSTD, { compress: zlib.zstd, decompress: decompressZstd }],
])

/** Gives kafkajs, which has gzip alone and does not bound it, these codecs for all its clients of this process. */
export const installCodecs = (): void => {
  for (const [type, { compress, decompress }] of codecs)
    kafkajs.CompressionCodecs[type] = () => ({
      compress: ({ buffer }: { readonly buffer: Buffer }) => compress(buffer),
      decompress: (input: Buffer) => decompressBounded(decompress, input),
    })
}

const decompressBounded = async (decompress: Codec['decompress'], input: Buffer): Promise<Buffer> => {
  const share = fetched.getStore() ?? { left: maxFetchedBytes }
  const maxBytes = Math.max(share.left, 1)
  try {
    const output = await decompress(input, maxBytes)
    share.left -= output.length
    return output
  } catch (error) {
    if (error instanceof UnreadableBatch) throw error
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes)
    throw new UnreadableBatch(`it cannot be decompressed: ${errorMessage(error)}`, { cause: error })
  }
}
