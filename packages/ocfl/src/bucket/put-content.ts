import type { NewContent } from '../inventory.ts'
import type { SourceFile } from '../types.ts'
import type { Bucket, Upload } from './bucket.ts'
import { type Budget, createBudget } from './budget.ts'
import { partBytesOf } from './parts.ts'
import { bytesInParts, wholeBytes } from './source-bytes.ts'

/* Bytes of new files, on their way to a bucket. Their sizes and digests are checked while they are sent. */

export interface PutLimits {
  /** Files put at once. */
  readonly puts: number
  /** Bytes held in memory at once; a part more while a large file is read. */
  readonly heldBytes: number
  /** Least size of the parts of a larger file. */
  readonly partBytes: number
}

export const usualPuts: PutLimits = { puts: 32, heldBytes: 64 * 1024 ** 2, partBytes: 8 * 1024 ** 2 }

interface Tools {
  readonly bucket: Bucket
  readonly budget: Budget
  readonly signal: AbortSignal | undefined
}

/**
 * Puts the files below a folder: small ones side by side, then large ones one after the other, their parts side by
 * side. Throws `InvalidVersion`, and the reason of the signal.
 */
export const putContent = async (
  bucket: Bucket,
  folder: string,
  content: readonly NewContent[],
  { puts, heldBytes, partBytes }: PutLimits,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const tools = { bucket, budget: createBudget(heldBytes), signal }
  await inTurns(puts, content, async ({ source, place }) => {
    signal?.throwIfAborted()
    if (source.size <= partBytes) await putWhole(folder + place, source, tools)
  })
  for (const { source, place } of content)
    if (source.size > partBytes)
      await putParts(folder + place, source, partBytesOf(source.size, partBytes), tools)
}

const putWhole = async (key: string, source: SourceFile, { bucket, budget }: Tools): Promise<void> => {
  const release = await budget.take(source.size)
  try {
    await bucket.put(key, await wholeBytes(source, bucket))
  } finally {
    release()
  }
}

const putParts = async (
  key: string,
  source: SourceFile,
  partBytes: number,
  { bucket, budget, signal }: Tools,
): Promise<void> => {
  const upload = await bucket.upload(key)
  try {
    await sendParts(upload, bytesInParts(source, partBytes, bucket), budget, signal)
    await upload.complete()
  } catch (error) {
    await upload.abort().catch(() => {})
    throw error
  }
}

/** Throws the first failure once no part is on its way. */
const sendParts = async (
  upload: Upload,
  parts: AsyncIterable<Uint8Array>,
  budget: Budget,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const sending: Promise<void>[] = []
  const failures: unknown[] = []
  const fail = (error: unknown): void => void failures.push(error)
  const send = async (): Promise<void> => {
    for await (const part of parts) {
      signal?.throwIfAborted()
      const release = await budget.take(part.length)
      if (failures.length > 0) return release()
      const sent = upload.part(sending.length + 1, part)
      sending.push(sent.catch(fail).finally(release))
    }
  }
  await send().catch(fail)
  await Promise.all(sending)
  if (failures.length > 0) throw failures[0]
}

/** Works on each item, at most `most` at once. Throws the first failure once nothing is at work. */
const inTurns = async <A>(most: number, items: readonly A[], work: (item: A) => Promise<void>) => {
  const failures: unknown[] = []
  const waiting = items.values()
  const takeTurns = async (): Promise<void> => {
    for (const item of waiting) {
      if (failures.length > 0) return
      await work(item).catch((error: unknown) => void failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, takeTurns))
  if (failures.length > 0) throw failures[0]
}
