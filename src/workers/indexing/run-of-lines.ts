import { open } from 'node:fs/promises'
import { isSystemError } from '@fonds/toolbox'
import type { CaptureIndex, WrittenRun } from '../../ports/capture-index.ts'

/**
 * Writes a file of sorted lines as a run of the index. Returns undefined if the file is missing, or has another digest.
 */
export const runOfLines = async (
  path: string,
  digest: string,
  index: () => CaptureIndex,
): Promise<WrittenRun | undefined> => {
  try {
    await using handle = await open(path, 'r')
    const run = await index().write(wholeLines(handle.createReadStream({ autoClose: false })))
    // A run that is not published is deleted automatically.
    return run.sha256 === digest ? run : undefined
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Yields batches of whole lines: what follows the last line end of a block is part of the next batch. */
async function* wholeLines(blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const block of blocks) {
    const bytes = Buffer.concat([rest, block])
    const end = bytes.lastIndexOf(10) + 1
    if (end > 0) yield bytes.subarray(0, end)
    rest = bytes.subarray(end)
  }
  if (rest.length > 0) yield Buffer.concat([rest, Buffer.from('\n')])
}
