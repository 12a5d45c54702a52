import { setImmediate } from 'node:timers/promises'
import type { Checkpoint, CheckpointStore } from '../ports/checkpoint-store.ts'
import type { EventBatch, EventFilter, EventStore } from '../ports/event-store.ts'
import { whileAway } from './backoff.ts'
import { GenerationMissing } from './errors.ts'
import { keepTrying, type TryingOptions } from './keep-trying.ts'
import { UnavailableError } from './unavailable.ts'

/** Work that follows the log, in order, one batch after the other. */
interface Subscriber extends Pick<CheckpointStore, 'load'> {
  readonly filter: EventFilter
  /**
   * Returns the checkpoint after the batch, which is stored by then. Undefined if it stopped in the middle, or another
   * process moved the checkpoint: it is then loaded again.
   */
  handle(batch: EventBatch, from: Checkpoint): Promise<Checkpoint | undefined>
}

interface SubscribeOptions extends TryingOptions {
  readonly eventStore: Pick<EventStore, 'subscribe'>
}

/**
 * Reads the log from the checkpoint on: catches up, then continues live. The checkpoint moves only after finished work;
 * failed work is retried from there. Resolves when it is over and nothing is under way.
 */
export const subscribe = (
  { filter, load, handle }: Subscriber,
  { eventStore, ...options }: SubscribeOptions,
): Promise<void> => {
  const { signal } = options

  const fromCheckpoint = async (succeeded: () => void): Promise<void> => {
    let checkpoint = await load(signal)
    for await (const batch of eventStore.subscribe(checkpoint.position, filter, signal)) {
      const reached = await handle(batch, checkpoint)
      if (!reached) return void (await setImmediate())
      checkpoint = reached
      succeeded()
    }
    if (!signal.aborted) throw new UnavailableError('the event store ended the subscription')
  }

  return keepTrying(
    async (succeeded) => {
      try {
        await fromCheckpoint(succeeded)
      } catch (error) {
        // Another process has replaced the generation: the new one's checkpoint is loaded at once.
        if (!(error instanceof GenerationMissing)) throw error
      }
    },
    { awayBackoff: whileAway, ...options },
  )
}
