import { recentCache } from '@fonds/toolbox'
import type { Logger } from 'pino'
import { orThrow } from '../../async/unavailable.ts'
import { batchDecider } from '../../domain/ingest/batch/decide.ts'
import { batchStream, jobStream } from '../../domain/ingest/ids.ts'
import { jobDecider } from '../../domain/ingest/job/decide.ts'
import { defaultProfile, type Profile } from '../../domain/ingest/profile/profile.ts'
import { workStates } from '../../domain/ingest/transitions.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import { batchQueue, startMail } from '../../processors/ingest/batch-claims.ts'
import { holdOn } from '../../processors/ingest/holds.ts'
import { identifiers } from '../../processors/ingest/identifiers.ts'
import { jobQueues } from '../../processors/ingest/job-claims.ts'
import { createProvisioning } from '../../processors/ingest/provisioning.ts'
import { createStorageGuard } from '../../processors/ingest/storage-guard.ts'
import { suspectsInProgress } from '../../processors/runtime/suspects.ts'
import { viewsReachOf } from '../../processors/runtime/views-reach.ts'
import { ingest } from '../../projections/ingest/projection.ts'
import { sitesOf } from '../../workers/ingest/ingester-context.ts'
import type { IngesterHooks, IngestServices } from '../../workers/ingest/services.ts'
import type { IngestContext } from './context.ts'

/** Most batches whose terms are cached: they never change. */
const maxTerms = 1000

/** Most milliseconds until a pause is noticed. */
const pauseSeenMillis = SECOND

/** Services that ingest workers get from the log. */
export const ingestServices = (context: IngestContext, hooks: IngesterHooks): IngestServices => {
  const { states, clock, config, log } = context
  const { worker, room, waits, reportJobFailure, reportBatchFailure } = hooks
  const storage = createStorageGuard({
    ...context,
    worker,
    viewsReach: viewsReachOf(ingest.name, context),
  })
  const mayClaim = async () => {
    const refusal = await storage.refusal()
    logRefusal(refusal)
    return refusal === undefined
  }
  const logRefusal = refusalLogger(log)
  // A node that cannot store reports it when it starts, not when work comes.
  void storage.refusalSoFar().then(logRefusal, () => {})
  const { claimSeconds, maxDeaths } = config
  const sites = sitesOf(context.config)
  const holder = {
    ...context,
    worker,
    mayClaim,
    waits,
    sites: sites.here,
    workSite: sites.work,
    timeoutMillis: claimSeconds * SECOND,
    maxDeaths,
    suspects: suspectsInProgress(clock),
  }
  const ofJobs = { ...holder, reportFailure: reportJobFailure }
  const ofBatches = { ...holder, reportFailure: reportBatchFailure }
  const queues = jobQueues(ofJobs)
  const terms = recentCache<Profile>(maxTerms)
  const recordsElsewhere = config.ingestInventory === 'other'
  return {
    storage,
    sites: sites.here,
    workSite: sites.work,
    batchQueues: (['report', 'mail', 'open'] as const).map((task) => batchQueue(task, ofBatches)),
    // Jobs near their end go first: their files then leave the work volume.
    jobQueues: workStates
      .toReversed()
      .filter((state) => state !== 'provisioning' && !(state === 'recording' && recordsElsewhere))
      .map((state) => queues[state]),
    provisioning: createProvisioning({
      ...ofJobs,
      room,
      thresholdPercent: config.ingestThresholdPercent,
      unknownBytes: config.ingestUnknownBytes,
    }),
    identifiers: identifiers(holder),
    job: async (job) => (await orThrow(() => states.load(jobDecider, jobStream(job)))).state,
    termsOf: async (batch) => {
      const known = terms.get(batch)
      if (known) return known
      const { state } = await orThrow(() => states.load(batchDecider, batchStream(batch)))
      const profile = state?.profile ?? defaultProfile
      if (state?.profile) terms.set(batch, profile)
      return profile
    },
    recordsElsewhere,
    paused: cachedLookup(() => holdOn(states, 'all'), clock.monotonic),
    startMail: (work, mail) => startMail(work, mail, holder),
  }
}

/** Logs each reason once, until it is over. */
const refusalLogger = (log: Logger) => {
  let logged: string | undefined
  return (refusal: string | undefined) => {
    if (refusal === logged) return
    if (refusal === undefined) log.info('the storage root belongs to this log; ingest continues')
    else log.error(`ingest is stopped in this process: ${refusal}`)
    logged = refusal
  }
}

/** Caches a lookup for a while: it is asked between all steps of all jobs. */
const cachedLookup = <A>(lookup: () => Promise<A>, monotonic: () => number): (() => Promise<A>) => {
  let last: { readonly at: number; readonly answer: Promise<A> } | undefined
  return () => {
    const now = monotonic()
    if (!last || now - last.at > pauseSeenMillis) {
      const answer = lookup()
      last = { at: now, answer }
      answer.catch(() => {
        last = undefined
      })
    }
    return last.answer
  }
}
