import { isLeft } from 'fp-ts/lib/Either.js'
import { checkFence, extend, grant, isActive, type Lease } from '../../src/domain/kernel/lease.ts'
import { addMillis } from '../../src/domain/kernel/time.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Claimed, MachineWaiting, TaskQueue } from '../../src/ports/task-queue.ts'
import { notWaiting } from '../../src/processors/runtime/claim-queue.ts'

interface Kept {
  readonly id: string
  readonly queue: string
  due: string
  lease: Lease | undefined
  lastFence: number
  done: boolean
}

export interface FakeTask {
  readonly id: string
  readonly fence: number
}

export interface FakeQueue extends TaskQueue<FakeTask> {
  /** How many tasks each look asked for, and when. */
  readonly looks: readonly { readonly limit: number; readonly at: string }[]
  /** How often somebody asked for the next due time. */
  asked(): number
}

/** Tasks under the kernel's lease, shared by any number of worker pools. */
export const fakeTasks = (clock: Clock, timeoutMillis = 60_000) => {
  const tasks = new Map<string, Kept>()
  const log: string[] = []
  const isFree = (task: Kept) => !task.done && !isActive(task.lease, clock.now())

  const claim = async (task: Kept, holder: string): Promise<Claimed<FakeTask> | undefined> => {
    // Somebody else may be faster between the look and the claim.
    await Promise.resolve()
    const deadline = addMillis(clock.now(), timeoutMillis)
    const granted = isFree(task) && grant(task.lease, task.lastFence, holder, clock.now(), deadline)
    if (!granted || isLeft(granted)) return undefined
    const { fence } = granted.right
    task.lease = granted.right
    task.lastFence = fence
    const giveUp = (what: string, due: string) => {
      log.push(`${what} ${task.id}`)
      if (isLeft(checkFence(task.lease, fence))) return
      task.lease = undefined
      task.due = due
    }
    return {
      task: { id: task.id, fence },
      deadline,
      extend: async () => {
        log.push(`extend ${task.id}`)
        const later = extend(task.lease, fence, clock.now(), addMillis(clock.now(), timeoutMillis))
        if (isLeft(later)) return undefined
        task.lease = later.right
        return later.right.deadline
      },
      release: async (reason) => giveUp(`release (${reason})`, clock.now()),
      defer: async (reason) => giveUp(`defer (${reason})`, addMillis(clock.now(), 300_000)),
      fail: async (reason) => giveUp(`fail (${reason})`, addMillis(clock.now(), 300_000)),
    }
  }

  return {
    log: log as readonly string[],
    add: (queue: string, id: string, due = clock.now()) => {
      tasks.set(id, { id, queue, due, lease: undefined, lastFence: 0, done: false })
    },
    /** False when the claim no longer holds. */
    complete: ({ id, fence }: FakeTask): boolean => {
      const task = tasks.get(id)!
      if (isLeft(checkFence(task.lease, fence))) return false
      log.push(`done ${id}`)
      task.done = true
      task.lease = undefined
      return true
    },
    /** Takes the claim away, as somebody with more to say could. */
    seize: (id: string) => {
      const task = tasks.get(id)!
      task.lease = {
        holder: 'somebody',
        deadline: addMillis(clock.now(), 3_600_000),
        fence: ++task.lastFence,
      }
    },
    open: () => [...tasks.values()].filter(({ done }) => !done).length,
    queue: (name: string, holder = 'worker', waits?: MachineWaiting): FakeQueue => {
      const looks: { limit: number; at: string }[] = []
      let asked = 0
      return {
        name,
        looks,
        asked: () => asked,
        take: async (limit) => {
          looks.push({ limit, at: clock.now() })
          const free = [...tasks.values()].filter(
            (task) => task.queue === name && isFree(task) && task.due <= clock.now(),
          )
          const due = await notWaiting(free, limit, waits, ({ id }) => id)
          const claims = await Promise.all(due.map((task) => claim(task, holder)))
          return claims.filter((one) => one !== undefined)
        },
        nextDue: async () => {
          asked++
          const mine = [...tasks.values()].filter((task) => task.queue === name && !task.done)
          return mine.map((task) => (isFree(task) ? task.due : task.lease!.deadline)).sort()[0]
        },
      }
    },
  }
}
