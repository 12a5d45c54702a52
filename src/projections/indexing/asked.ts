import type { IndexPlace } from '../../ports/capture-index.ts'
import type { Point } from '../../ports/view-store.ts'
import type { CaptureSource } from './captures/capture-source.ts'

declare module '../runtime/question.ts' {
  interface AskedOf {
    readonly indexing: IndexingAsked
  }
}

export interface IndexingAsked {
  /** The index of captures, as of a point of the log or as it is now. Throws `UnavailableError`. */
  captures(at?: Point): Promise<CaptureSource>
  /** Position of the index of captures in the log now. Throws `UnavailableError`. */
  indexPlace(): Promise<IndexPlace>
  /** Beginning of replay addresses: a capture's time, a slash and its URL follow. */
  readonly replay: string | undefined
}
