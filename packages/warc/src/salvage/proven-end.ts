import { createHash } from 'node:crypto'
import { base32 } from '../records/base32.ts'
import { recordBegin } from './nested.ts'
import { beginBytes, readFull, type SearchTools } from './search.ts'

const chunkBytes = 1024 * 1024

/**
 * Returns the end of the block of the record of WARC at `from`, if the digest that its head states proves the block
 * whole: then only what stood behind the record is lost. Undefined if nothing proves it.
 */
export const provenEnd = async (
  { file, spend, onProgress }: Pick<SearchTools, 'file' | 'spend' | 'onProgress'>,
  from: number,
): Promise<number | undefined> => {
  const begin = readFull(file, from, Buffer.alloc(beginBytes))
  const record = recordBegin(begin, false)
  const stated = record && statedDigest(begin.toString('latin1', 0, record.headLength))
  if (!record || !stated) return undefined
  const start = from + record.headLength
  const end = start + record.blockLength
  if (end > file.size || !spend(record.blockLength)) return undefined
  const sha1 = createHash('sha1')
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (let at = start; at < end; at += chunkBytes) {
    sha1.update(readFull(file, at, chunk.subarray(0, Math.min(chunkBytes, end - at))))
    await onProgress()
  }
  const digest = sha1.digest()
  return [base32(digest), digest.toString('hex').toUpperCase()].includes(stated) ? end : undefined
}

/** SHA-1 of the block, in capitals. */
const statedDigest = (head: string): string | undefined =>
  /\nwarc-block-digest[ \t]*:[ \t]*sha-?1:([a-z2-7]{32}|[0-9a-f]{40})[ \t]*\r?\n/i
    .exec(head)?.[1]
    ?.toUpperCase()
