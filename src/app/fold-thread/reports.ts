import type { Running } from '../../projections/runtime/fold-all.ts'
import type { FoldedBatch, ViewMove } from '../../projections/runtime/run-projection.ts'
import type { FoldReport } from './messages.ts'

/** Reports the events of one turn of the event loop together. */
export const gatherReports = (running: readonly Running[], send: (report: FoldReport) => void) => {
  const news = new Map<string, boolean | undefined>()
  let batches: FoldedBatch[] = []
  let timer: NodeJS.Immediate | undefined

  const flush = (): void => {
    clearImmediate(timer)
    timer = undefined
    if (news.size === 0 && batches.length === 0) return
    const steps = running.flatMap(({ projection: { name }, progress }) =>
      news.has(name) ? [{ projection: name, progress, hasNews: news.get(name) }] : [],
    )
    send({ batches, steps })
    news.clear()
    batches = []
  }
  const note = (projection: string, hasNews: boolean | undefined): void => {
    const before = news.get(projection)
    news.set(projection, before || hasNews === undefined ? before : hasNews)
    timer ??= setImmediate(flush)
  }

  return {
    observe: (batch: FoldedBatch): void => {
      batches.push(batch)
      timer ??= setImmediate(flush)
    },
    onStep: ({ projection, hasNews }: ViewMove): void => note(projection, hasNews),
    onFailure: (projection: string): void => note(projection, undefined),
    flush,
  }
}
