import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

/** Returns the SHA-256 in lower-case hex. `onBytes` is called for each chunk. Throws the reason of the signal. */
export const hashFile = async (
  file: FileHandle,
  signal: AbortSignal,
  onBytes: () => void,
): Promise<string> => {
  // A stream whose signal is aborted already emits an error that nobody can catch.
  signal.throwIfAborted()
  const digest = createHash('sha256')
  for await (const chunk of file.createReadStream({ autoClose: false, start: 0, signal })) {
    digest.update(chunk)
    onBytes()
  }
  return digest.digest('hex')
}
