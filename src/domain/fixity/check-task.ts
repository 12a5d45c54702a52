import type { Checksum } from './checksum.ts'
import type { Item } from './item.ts'

/** One check to do. */
export interface CheckTask {
  readonly item: Item
  readonly fence: number
  /** What is recorded and indexed of it: which digests are wanted. */
  readonly checksums: readonly Checksum[]
}
