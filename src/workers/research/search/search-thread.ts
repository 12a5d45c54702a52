import { setImmediate } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { errorMessage } from '../../../async/errors.ts'
import type { FromThread, ToThread } from '../../../async/threads/thread-slot.ts'
import { createFourier } from './fourier.ts'
import { searchGroup } from './search-group.ts'
import type { SearchJob, SearchReply } from './search-messages.ts'

/* What a search thread runs: one job at a time. An exception outside of it ends the thread; the pool sees to it. */

const port = parentPort
if (!port) throw new Error('search-thread.ts is run by the searcher, not by itself')
const post = (message: FromThread<SearchReply>) => port.postMessage(message)

/** When so much time has passed since the last, progress is posted, and an abort is received. */
const breathMillis = 50

const fourier = await createFourier()
let underWay: AbortController | undefined

port.on('message', (message: ToThread<SearchJob>) => {
  if (message.kind === 'abort') underWay?.abort()
  else if (message.kind === 'job') void run(message.job)
})
post({ kind: 'ready' })

async function run({ episode, clips }: SearchJob): Promise<void> {
  underWay = new AbortController()
  const { signal } = underWay
  let breathed = performance.now()
  const breathe = async () => {
    if (performance.now() - breathed < breathMillis) return
    post({ kind: 'progress' })
    await setImmediate()
    breathed = performance.now()
    signal.throwIfAborted()
  }
  try {
    for await (const outcome of searchGroup(fourier, episode, clips, breathe))
      post({ kind: 'found', outcome })
    post({ kind: 'done' })
  } catch (error) {
    post({ kind: 'done', error: errorMessage(error) })
  }
}
