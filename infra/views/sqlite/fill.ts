import { setImmediate } from 'node:timers/promises'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import type { Connection } from './connection.ts'
import { attachOther, copyRows, detachOther } from './copy-rows.ts'
import type { Registry } from './registry.ts'

/** Takes rows over from a copy; other work runs between two steps. */
export const createFill =
  ({ db, write, readOnce }: Connection, registry: Registry): ViewStore['fill'] =>
  async (generation, { file, id, checkpoint }, signal) => {
    readOnce(() => attachOther(db, file, true))
    try {
      const steps = copyRows(db, registry.shapes(generation.id), id, generation.id)
      while (!write(() => steps.next()).done) {
        await setImmediate()
        signal?.throwIfAborted()
      }
      write(() => registry.advance(generation, -1n, checkpoint))
    } finally {
      detachOther(db)
    }
  }
