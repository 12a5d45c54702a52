import { NoRoom } from '../../async/machine-failure.ts'
import type { Engine } from '../../domain/research/terms.ts'
import type { Job } from './job.ts'
import {
  type ItemContext,
  isMachineFailure,
  mediaFailure,
  type Outcome,
  type OutcomeTools,
  outcomes,
} from './outcomes.ts'
import type { MediaAddress, Recording } from './recording.ts'
import { type Failure, type Report, reports } from './report.ts'

interface ItemTools extends OutcomeTools {
  readonly researcher: string
  readonly engine: Engine
  /** Resolves when the message is on the topic. */
  readonly send: (report: Report) => Promise<void>
}

/**
 * Runs a work item: fetches the episode once (L30), then reports each clip at once and alone (L31). The last report is
 * final; if the last one was sent before that was known, the lease is released. Throws the reason of the signal, and
 * failures of this machine once the lease is released.
 */
export const research = async (job: Job, tools: ItemTools, context: ItemContext): Promise<void> => {
  const over = new AbortController()
  try {
    await researchWhile(job, tools, { ...context, signal: AbortSignal.any([context.signal, over.signal]) })
  } finally {
    // Ends the use of recordings.
    over.abort()
  }
}

const researchWhile = async (job: Job, tools: ItemTools, context: ItemContext): Promise<void> => {
  const report = reports(job, tools)
  const send = async (one: Report) => {
    context.signal.throwIfAborted()
    await tools.send(one)
  }
  const release = (reason: string) => send(report.released(reason))

  const searchClips = async (episode: Recording) => {
    const sendOutcome = (outcome: Outcome, final: boolean) =>
      send(
        outcome.kind === 'searched'
          ? report.researched(episode, outcome.clip, outcome.finding, final)
          : report.failed(outcome.failure, final),
      )
    let left = job.clips.length
    /** While the researcher winds down, only the next outcome shows whether this was the last. */
    let last: Outcome | undefined
    for await (const outcome of outcomes(episode, job.clips, tools, context)) {
      if (last) await sendOutcome(last, false)
      last = undefined
      left--
      if (left > 0 && context.winding.aborted) last = outcome
      else await sendOutcome(outcome, left === 0)
    }
    if (last) await sendOutcome(last, true)
    else if (left > 0) await release(stopping)
  }

  if (!job.media) return release('the episode was withdrawn')
  if (job.clips.length === 0) return release('its clips were withdrawn')
  try {
    const episode = await fetchEpisode(job.media, tools, context)
    if (!episode) await release(stopping)
    else if ('error' in episode) await send(report.failed(episode, true))
    else await searchClips(episode)
  } catch (error) {
    if (error instanceof NoRoom) await release(error.message)
    else if (isMachineFailure(error)) await release(`this researcher cannot work: ${error.message}`)
    throw error
  }
}

const stopping = 'the researcher is stopping'

/** Undefined if the researcher winds down before any clip is under way. */
const fetchEpisode = async (
  media: MediaAddress,
  { recordings }: ItemTools,
  context: ItemContext,
): Promise<Recording | Failure | undefined> => {
  try {
    const signal = AbortSignal.any([context.signal, context.winding])
    return await recordings.open(media, { signal, progress: context.progress })
  } catch (error) {
    context.signal.throwIfAborted()
    if (context.winding.aborted) return undefined
    if (isMachineFailure(error)) throw error
    return { subject: 'episode', ...mediaFailure(error) }
  }
}
