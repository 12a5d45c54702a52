import { createHash } from 'node:crypto'
import { InvalidVersion } from '../errors.ts'
import type { Bucket, Upload } from './bucket.ts'
import type { Budget } from './budget.ts'
import { partBytesOf } from './parts.ts'

/** Size and SHA-256 (lower-case hex) of the bytes that came. */
export interface Received {
  readonly size: number
  readonly sha256: string
}

/** A file on its way to a key, in the order of its bytes. The key is there once all of it is accepted, and not before. */
export interface Intake {
  /** Bytes so far. */
  readonly size: number
  /** Sends a part when it is full. The chunk may be used again. Throws what a part before it failed with. */
  write(chunk: Uint8Array): Promise<void>
  /** Calls `accept` with what came. If that throws, there is no key. */
  end(accept: (received: Received) => void): Promise<Received>
  /** Gives the bytes up. */
  abort(): Promise<void>
}

interface Tools {
  readonly bucket: Bucket
  readonly budget: Budget
  /** Least size of the parts of a larger file. */
  readonly partBytes: number
}

/** Size of the parts of a file whose size is not known: 400 of them are 6 GiB, 10,000 are 156 GiB. */
const unknownPartBytes = 16 * 1024 ** 2

/** Takes in a file of `size` bytes; undefined: the size is not known. */
export const openIntake = (
  key: string,
  size: number | undefined,
  { bucket, budget, partBytes: least }: Tools,
): Intake => {
  const partBytes =
    size === undefined
      ? Math.max(unknownPartBytes, least)
      : Math.min(Math.max(size, 1), partBytesOf(size, least))
  const hash = createHash('sha256')
  const sending: Promise<void>[] = []
  const failures: unknown[] = []
  let received = 0
  let upload: Upload | undefined
  let part: { readonly bytes: Buffer; filled: number; readonly release: () => void } | undefined

  const send = async (): Promise<void> => {
    if (!part) return
    const { bytes, filled, release } = part
    part = undefined
    try {
      upload ??= await bucket.upload(key)
    } catch (error) {
      release()
      throw error
    }
    const sent = upload.part(sending.length + 1, bytes.subarray(0, filled))
    sending.push(sent.catch((error: unknown) => void failures.push(error)).finally(release))
  }

  const abort = async (): Promise<void> => {
    part?.release()
    part = undefined
    await Promise.all(sending)
    await upload?.abort().catch(() => {})
    upload = undefined
  }

  const finish = async (): Promise<void> => {
    if (upload) {
      await upload.complete()
      upload = undefined
      return
    }
    await bucket.put(key, part ? part.bytes.subarray(0, part.filled) : new Uint8Array())
    part?.release()
    part = undefined
  }

  return {
    get size() {
      return received
    },
    write: async (chunk) => {
      if (size !== undefined && received + chunk.length > size)
        throw new InvalidVersion(`more than ${size} bytes came for ${key}`)
      hash.update(chunk)
      received += chunk.length
      for (let rest = chunk; rest.length > 0; ) {
        if (failures.length > 0) throw failures[0]
        if (part && part.filled === part.bytes.length) await send()
        part ??= { release: await budget.take(partBytes), bytes: Buffer.allocUnsafe(partBytes), filled: 0 }
        const fitting = rest.subarray(0, part.bytes.length - part.filled)
        part.bytes.set(fitting, part.filled)
        part.filled += fitting.length
        rest = rest.subarray(fitting.length)
      }
    },
    end: async (accept) => {
      try {
        if (upload) await send()
        await Promise.all(sending)
        if (failures.length > 0) throw failures[0]
        const found = { size: received, sha256: hash.digest('hex') }
        accept(found)
        await finish()
        return found
      } catch (error) {
        await abort()
        throw error
      }
    },
    abort,
  }
}
