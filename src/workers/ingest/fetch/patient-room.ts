import { NoRoom } from '../../../async/machine-failure.ts'
import type { TaskContext } from '../../../async/task-context.ts'
import { SECOND } from '../../../domain/kernel/time.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { TakeRoom } from '../../runtime/room.ts'

/** Extending a claim writes to the log: after this time the work is released instead, and waits without events. */
const patienceMillis = 30 * SECOND
const pollMillis = SECOND

/** Waits a limited time for room, and calls `onWait` once: work under way then continues where it was. */
export const patient =
  (
    take: TakeRoom,
    clock: Pick<Clock, 'monotonic' | 'sleep'>,
    { signal, progress }: TaskContext,
    onWait: (failure: NoRoom) => void,
  ): TakeRoom =>
  (bytes, ahead) => {
    const until = clock.monotonic() + patienceMillis
    const wait = async (failure: unknown): Promise<void> => {
      if (!(failure instanceof NoRoom) || clock.monotonic() >= until) throw failure
      await clock.sleep(pollMillis, signal)
      signal.throwIfAborted()
      progress()
      await take(bytes, ahead)?.catch(wait)
    }
    return take(bytes, ahead)?.catch((failure: unknown) => {
      if (failure instanceof NoRoom) onWait(failure)
      return wait(failure)
    })
  }
