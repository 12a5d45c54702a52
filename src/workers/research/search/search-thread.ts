import { createFourier, searchGroup } from '@fonds/sound/search'
import { errorMessage } from '../../../async/errors.ts'
import { breather } from '../../../async/threads/breather.ts'
import { runJobs } from '../../../async/threads/run-jobs.ts'
import { maxMatches } from '../../../domain/research/result-messages.ts'
import type { SearchJob, SearchReply } from './search-messages.ts'

/* Main module of a search thread. An exception outside of a job ends the thread; the pool replaces it. */

/** Interval of progress messages, and of checks for an abort. */
const breathMillis = 50

const fourier = await createFourier()

runJobs<SearchJob, SearchReply>(
  'search-thread.ts is run by the searcher',
  async ({ episode, clips, drift }, post, signal) => {
    const breathe = breather(breathMillis, signal, () => post({ kind: 'progress' }))
    try {
      for await (const outcome of searchGroup(fourier, episode, clips, breathe, { drift, maxMatches }))
        post({ kind: 'found', outcome })
      post({ kind: 'done' })
    } catch (error) {
      post({ kind: 'done', error: errorMessage(error) })
    }
  },
)
