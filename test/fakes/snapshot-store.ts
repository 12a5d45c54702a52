import type { SnapshotStore } from '../../src/ports/snapshot-store.ts'

/** One snapshot, whatever its name. */
export interface MemorySnapshots extends SnapshotStore {
  bytes: Uint8Array | undefined
  loads: number
}

export const memorySnapshots = (): MemorySnapshots => ({
  bytes: undefined,
  loads: 0,
  async load() {
    this.loads++
    return this.bytes
  },
  async save(_, parts) {
    this.bytes = Buffer.concat([...parts])
  },
  async drop() {
    this.bytes = undefined
  },
})
