import type { Source } from '@fonds/warc/read'

/** More bytes would have to be in memory than may be. */
export class TooMuchToExamine extends Error {
  override readonly name = 'TooMuchToExamine'
}

const firstBlock = 256 * 1024
const maxBlock = 8 * 1024 * 1024

interface Block {
  readonly from: number
  readonly bytes: Buffer
}

/** Stops a reading at a byte that is not in memory. */
class Absent extends Error {}

/**
 * Runs `use`, whose reads do not wait, over bytes that have to be waited for: where one is missing it is stopped, the
 * bytes are loaded, more each time, and it begins again. `load` gives the bytes of a range, its end exclusive. Rejects
 * with `TooMuchToExamine`, and with what `load` and `use` reject with.
 */
export const examineSparsely = async <A>(
  size: number,
  load: (from: number, to: number) => Promise<Buffer>,
  use: (source: Source) => A | Promise<A>,
  maxBytes: number,
): Promise<A> => {
  const blocks: Block[] = []
  let loaded = 0
  let absent: number | undefined
  const source: Source = {
    size,
    read: (offset, buffer) => {
      if (offset >= size || buffer.length === 0) return 0
      const block = blocks.find(({ from, bytes }) => offset >= from && offset < from + bytes.length)
      if (block) return block.bytes.copy(buffer, 0, offset - block.from)
      absent = offset
      throw new Absent('not loaded yet')
    },
  }
  for (;;) {
    absent = undefined
    try {
      return await use(source)
    } catch (error) {
      // A reader may have wrapped the error.
      if (absent === undefined) throw error
      const from: number = absent
      const before = blocks.find(({ from: at, bytes }) => at + bytes.length === from)
      const wanted = before ? Math.min(maxBlock, 2 * before.bytes.length) : firstBlock
      const next = blocks.reduce((end, block) => (block.from > from ? Math.min(end, block.from) : end), size)
      const to = Math.min(next, from + wanted)
      loaded += to - from
      if (loaded > maxBytes) throw new TooMuchToExamine(`more than ${maxBytes} bytes would have to be read`)
      blocks.push({ from, bytes: await load(from, to) })
    }
  }
}
