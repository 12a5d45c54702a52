import type { Source } from '../source.ts'
import type { ByteWindow } from './byte-window.ts'
import type { Container } from './container.ts'

/** Records that are not compressed. */
export const createPlainContainer = (source: Source, window: ByteWindow): Container => {
  let offset = 0
  return {
    isCompressed: false,
    window,
    get offset() {
      return offset
    },
    next: () => {
      offset = window.position
      return window.has(1)
    },
    skip: (count) => {
      const skipped = Math.min(count, source.size - window.position)
      window.jumpTo(window.position + skipped)
      return skipped
    },
    finish: () => window.position,
  }
}
