import type { Hold } from '../../../async/hold.ts'
import { NoRoom } from '../../../async/machine-failure.ts'
import { SECOND } from '../../../domain/kernel/time.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { TakeRoom } from '../../runtime/room.ts'

/** A claim is extended in the log: for longer, the work is given back, which waits without a word. */
const patienceMillis = 30 * SECOND
const lookMillis = SECOND

/** Where there is no room it is waited for, a while, and `onWait` told of it: what is under way goes on where it stands. */
export const patient =
  (
    take: TakeRoom,
    clock: Pick<Clock, 'monotonic' | 'sleep'>,
    { signal, progress }: Hold,
    onWait: (failure: NoRoom) => void,
  ): TakeRoom =>
  (bytes, ahead) => {
    const until = clock.monotonic() + patienceMillis
    const wait = async (failure: unknown): Promise<void> => {
      if (!(failure instanceof NoRoom) || clock.monotonic() >= until) throw failure
      await clock.sleep(lookMillis, signal)
      signal.throwIfAborted()
      progress()
      await take(bytes, ahead)?.catch(wait)
    }
    return take(bytes, ahead)?.catch((failure: unknown) => {
      if (failure instanceof NoRoom) onWait(failure)
      return wait(failure)
    })
  }
