import type { CaptureIndex } from '../../src/ports/capture-index.ts'
import type { openCaptureIndex } from './capture-index.ts'

/** The index of captures, whose modules are loaded with the first call: most commands ask nothing of it. */
export const openWhenUsed = (...of: Parameters<typeof openCaptureIndex>): CaptureIndex => {
  let opening: Promise<CaptureIndex> | undefined
  const index = () => {
    opening ??= import('./capture-index.ts').then((module) => module.openCaptureIndex(...of))
    return opening
  }
  const lines = async function* <A>(of: (index: CaptureIndex) => AsyncIterable<A>): AsyncGenerator<A> {
    yield* of(await index())
  }
  return {
    write: async (batches) => (await index()).write(batches),
    change: async (changes) => (await index()).change(changes),
    changeByHand: async (changes) => (await index()).changeByHand(changes),
    writeFiles: async (paths, how) => (await index()).writeFiles(paths, how),
    exportZipNum: async (into, name, how) => (await index()).exportZipNum(into, name, how),
    position: async () => (await index()).position(),
    place: async () => (await index()).place(),
    mergeDue: async (how) => (await index()).mergeDue(how),
    scan: (range) => lines((opened) => opened.scan(range)),
    changed: (wanted) => lines((opened) => opened.changed(wanted)),
    closest: (wanted) => lines((opened) => opened.closest(wanted)),
    runs: async () => (await index()).runs(),
    losses: async () => (await index()).losses(),
    close: async () => (await opening)?.close(),
  }
}
