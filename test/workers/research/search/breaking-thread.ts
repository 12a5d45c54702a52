import { parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from '#src/async/threads/thread-slot.ts'
import type { SearchJob, SearchReply } from '#src/workers/research/search/search-messages.ts'

/* A search thread for tests: finds nothing at once, and breaks, ends, hangs or waits at clips named so. */

const port = parentPort
if (!port) throw new Error('run by the searcher')
const post = (message: FromThread<SearchReply>) => port.postMessage(message)

port.on('message', (message: ToThread<SearchJob>) => {
  if (message.kind !== 'job') return post({ kind: 'done', error: 'aborted' })
  for (const { id } of message.job.clips) {
    if (id === 'breaks') throw new Error('a bug in the search')
    if (id === 'ends') process.exit(3)
    if (id === 'hangs') for (;;);
    if (id === 'waits') return post({ kind: 'progress' })
    post({ kind: 'found', outcome: { clip: id, matches: [], bestScore: 0 } })
  }
  post({ kind: 'done' })
})
post({ kind: 'ready' })
