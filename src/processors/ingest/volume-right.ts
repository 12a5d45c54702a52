import { UnavailableError } from '../../async/unavailable.ts'
import { millisBetween } from '../../domain/kernel/time.ts'
import type { Claimed } from '../../ports/task-queue.ts'
import { claim, claimed } from '../runtime/claim.ts'
import { type StepHolder, stepTerms, volumeTask } from './claims.ts'

/**
 * Short, as the claim is extended while it is used: a dead holder on another machine stops all provisioning for so
 * long.
 */
const claimMillis = 30_000
/** After so long without a request, another process may have the right. */
export const idleMillis = 1000

interface RightDependencies extends StepHolder {
  /** The site of the work folder, which is on one volume. */
  readonly workSite: () => Promise<string>
  /** True if the views show all that was given, so that another process may continue. */
  readonly isShown: () => boolean
}

/** Claims the right to give out the room of a work volume; undefined while another process has it. */
export const claimVolume = async (
  volume: string,
  holder: StepHolder,
): Promise<Claimed<{ readonly volume: string; readonly fence: number }> | undefined> => {
  const where = volumeTask(volume)
  const granted = await claim(holder, where, { type: 'ClaimVolume', ...stepTerms(holder) })
  if (typeof granted === 'string') return undefined
  const task = { volume, fence: granted.lease.fence }
  return claimed(holder, where, granted, { task, reportFailure: async () => {} })
}

/** The right of this process to give out room: taken when it is first asked for, and given up when it is not used. */
export const createVolumeRight = (deps: RightDependencies) => {
  const holder = { ...deps, timeoutMillis: Math.min(deps.timeoutMillis, claimMillis) }
  const { clock, timeoutMillis } = holder
  let right: Claimed<unknown> | undefined
  /** End of the claim, by the monotonic clock. */
  let until = 0
  let asking: Promise<boolean> | undefined
  let releasing: Promise<void> | undefined
  let idle: NodeJS.Timeout | undefined

  const take = async (): Promise<boolean> => {
    right = await claimVolume(await holder.workSite(), holder)
    if (!right) return false
    until = clock.monotonic() + millisBetween(clock.now(), right.deadline)
    return true
  }

  const extend = async (): Promise<boolean> => {
    const later = await right?.extend()
    if (later === undefined) return take()
    until = clock.monotonic() + millisBetween(clock.now(), later)
    return true
  }

  const giveUp = async (): Promise<void> => {
    await asking?.catch(() => {})
    clearTimeout(idle)
    const had = right
    right = undefined
    releasing = had?.release('no job needs room now').catch((error: unknown) => {
      // A claim that could not be released expires by itself.
      if (!(error instanceof UnavailableError)) throw error
    })
    await releasing
  }

  /** Nobody awaits the timer that calls this: unavailable views show nothing, and must not end the process. */
  const isShown = (): boolean => {
    try {
      return holder.isShown()
    } catch (error) {
      if (error instanceof UnavailableError) return false
      throw error
    }
  }

  const giveUpWhenIdle = () => {
    clearTimeout(idle)
    idle = setTimeout(() => (!asking && isShown() ? void giveUp() : giveUpWhenIdle()), idleMillis).unref()
  }

  const ask = async (): Promise<boolean> => {
    // Our own claim would refuse us.
    await releasing
    return right ? extend() : take()
  }

  return {
    /** Throws `UnavailableError`. */
    isOurs: async (): Promise<boolean> => {
      giveUpWhenIdle()
      if (right && until - clock.monotonic() > timeoutMillis / 2) return true
      asking ??= ask().finally(() => {
        asking = undefined
        // The claim may have taken longer than it may be idle.
        giveUpWhenIdle()
      })
      return asking
    },
    giveUp,
  }
}
