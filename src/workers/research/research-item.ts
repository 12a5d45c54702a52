import type { Engine } from '../../domain/research/terms.ts'
import type { Job } from './job.ts'
import {
  type ItemHold,
  isOwnFault,
  mediaFault,
  type Outcome,
  type OutcomeTools,
  outcomes,
} from './outcomes.ts'
import type { MediaAddress, Recording } from './recording.ts'
import { type Failure, type Report, reports } from './report.ts'

export interface ItemTools extends OutcomeTools {
  readonly researcher: string
  readonly engine: Engine
  /** Comes back when the message is on the topic. */
  readonly send: (report: Report) => Promise<void>
}

/**
 * Does a work item: fetches the episode once (L30), then reports each clip at once and alone (L31). What is known to be
 * the last report carries the final flag; where the last had been sent before that was known, the lease is released.
 * Throws what the signal aborts with; and faults of this machine, when it has given the item back for somebody else.
 */
export const research = async (job: Job, tools: ItemTools, hold: ItemHold): Promise<void> => {
  const over = new AbortController()
  try {
    await researchWhile(job, tools, { ...hold, signal: AbortSignal.any([hold.signal, over.signal]) })
  } finally {
    // Lets go of what it has opened.
    over.abort()
  }
}

const researchWhile = async (job: Job, tools: ItemTools, hold: ItemHold): Promise<void> => {
  const report = reports(job, tools)
  const send = async (one: Report) => {
    hold.signal.throwIfAborted()
    await tools.send(one)
  }
  const release = (reason: string) => send(report.released(reason))

  const searchClips = async (episode: Recording) => {
    const tell = (outcome: Outcome, final: boolean) =>
      send(
        outcome.kind === 'searched'
          ? report.researched(episode, outcome.clip, outcome.finding, final)
          : report.failed(outcome.failure, final),
      )
    let left = job.clips.length
    /** When winding down, it shows only with the next whether one was the last. */
    let last: Outcome | undefined
    for await (const outcome of outcomes(episode, job.clips, tools, hold)) {
      if (last) await tell(last, false)
      last = undefined
      left--
      if (left > 0 && hold.winding.aborted) last = outcome
      else await tell(outcome, left === 0)
    }
    if (last) await tell(last, true)
    else if (left > 0) await release(stopping)
  }

  if (!job.media) return release('the episode was withdrawn')
  if (job.clips.length === 0) return release('its clips were withdrawn')
  try {
    const episode = await fetchEpisode(job.media, tools, hold)
    if (!episode) await release(stopping)
    else if ('error' in episode) await send(report.failed(episode, true))
    else await searchClips(episode)
  } catch (error) {
    if (isOwnFault(error)) await release(`this researcher cannot work: ${error.message}`)
    throw error
  }
}

const stopping = 'the researcher is stopping'

/** Undefined: the researcher winds down, and no clip is under way yet. */
const fetchEpisode = async (
  media: MediaAddress,
  { recordings }: ItemTools,
  hold: ItemHold,
): Promise<Recording | Failure | undefined> => {
  try {
    const signal = AbortSignal.any([hold.signal, hold.winding])
    return await recordings.open(media, { signal, progress: hold.progress })
  } catch (error) {
    hold.signal.throwIfAborted()
    if (hold.winding.aborted) return undefined
    if (isOwnFault(error)) throw error
    return { subject: 'episode', ...mediaFault(error) }
  }
}
