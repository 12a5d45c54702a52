import type { Finding } from '@fonds/sound'
import { createAutoResetEvent } from '../../async/auto-reset-event.ts'
import { errorMessage } from '../../async/errors.ts'
import { machineFailure } from '../../async/machine-failure.ts'
import { sideBySide } from '../../async/side-by-side.ts'
import type { TaskContext } from '../../async/task-context.ts'
import type { Clock } from '../../ports/clock.ts'
import type { JobClip } from './job.ts'
import { MediaFailure, type Recording, type Recordings } from './recording.ts'
import type { Failure } from './report.ts'
import type { Searcher, WantedClip } from './searcher.ts'

/** The outcome of the search for one clip. */
export type Outcome =
  | { readonly kind: 'searched'; readonly clip: WantedClip; readonly finding: Finding }
  | { readonly kind: 'failed'; readonly failure: Failure }

export interface OutcomeTools {
  readonly recordings: Recordings
  readonly searcher: Searcher
  readonly clock: Clock
}

export interface ItemContext extends TaskContext {
  /** Aborts when the researcher winds down: work under way is finished, nothing more is begun. */
  readonly winding: AbortSignal
}

/** Clips fetched and decoded at once. */
const maxOpening = 4

/**
 * Yields one outcome per clip, each as soon as it is known. Clips are opened ahead of the search, which takes all that
 * are ready: they share the episode's transforms. Ends early when the researcher winds down and no search is under way.
 * Throws the reason of `context.signal`, and failures of this machine (`isMachineFailure`).
 */
export async function* outcomes(
  episode: Recording,
  clips: readonly JobClip[],
  { recordings, searcher, clock }: OutcomeTools,
  context: ItemContext,
): AsyncGenerator<Outcome, void, void> {
  const over = new AbortController()
  const work: ItemContext = { ...context, signal: AbortSignal.any([context.signal, over.signal]) }
  const { set: ring, wait } = createAutoResetEvent(clock)
  const ready: WantedClip[] = []
  const unreadable: Failure[] = []
  let opening = clips.length
  let machineFailure: Error | undefined

  const open = async ({ id, media }: JobClip) => {
    try {
      ready.push({ id, recording: await recordings.open(media, work) })
    } catch (error) {
      if (isMachineFailure(error)) machineFailure = error
      else unreadable.push({ subject: 'clip', clip: id, ...mediaFailure(error) })
    }
    opening--
    ring()
  }
  const openUnlessOver = async (clip: JobClip) => {
    if (!work.signal.aborted) await open(clip)
  }

  context.signal.addEventListener('abort', ring)
  context.winding.addEventListener('abort', ring)
  try {
    void sideBySide(clips, maxOpening, openUnlessOver)
    for (;;) {
      context.signal.throwIfAborted()
      if (machineFailure) throw machineFailure
      const failure = unreadable.shift()
      if (failure) yield { kind: 'failed', failure }
      else if (context.winding.aborted) return
      else if (ready.length > 0)
        for await (const outcome of searched(searcher, episode, ready.splice(0), work)) {
          yield outcome
          // At once: the search may take long.
          for (const other of unreadable.splice(0)) yield { kind: 'failed', failure: other }
        }
      else if (opening === 0) return
      else await wait()
    }
  } finally {
    over.abort()
    context.signal.removeEventListener('abort', ring)
    context.winding.removeEventListener('abort', ring)
  }
}

/** Yields one outcome for each clip, whatever the searcher does: one bad clip is one failed clip (D12). */
async function* searched(
  searcher: Searcher,
  episode: Recording,
  clips: readonly WantedClip[],
  context: ItemContext,
): AsyncGenerator<Outcome, void, void> {
  const left = new Map(clips.map((clip) => [clip.id, clip]))
  const failed = (clip: string, error: string): Outcome => ({
    kind: 'failed',
    failure: { subject: 'pair', stage: 'search', clip, error },
  })
  try {
    for await (const one of searcher.search(episode, clips, context)) {
      const clip = left.get(one.clip)
      left.delete(one.clip)
      if (clip) yield 'error' in one ? failed(one.clip, one.error) : { kind: 'searched', clip, finding: one }
    }
    if (context.winding.aborted) return
    for (const id of left.keys()) yield failed(id, 'the search ended without an outcome for this clip')
  } catch (error) {
    context.signal.throwIfAborted()
    if (isMachineFailure(error)) throw error
    // Searches for each alone, which shows the clip that failed.
    if (clips.length > 1)
      for (const clip of left.values()) yield* searched(searcher, episode, [clip], context)
    else for (const id of left.keys()) yield failed(id, errorMessage(error))
  }
}

export const mediaFailure = (error: unknown): Pick<Failure, 'stage' | 'error'> => ({
  stage: error instanceof MediaFailure ? error.stage : 'decode',
  error: errorMessage(error),
})

/** The disk is full, no more files can be opened …: neither the episode nor a clip is parked for that. */
export const isMachineFailure = (error: unknown): error is Error => machineFailure(error) !== undefined
