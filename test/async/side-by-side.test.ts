import { oneByOne } from '@fonds/toolbox'
import { describe, expect, it } from 'vitest'
import { createAutoResetEvent } from '#src/async/auto-reset-event.ts'
import { finishAll } from '#src/async/finish-all.ts'
import { createInbox } from '#src/async/inbox.ts'
import { createSemaphore } from '#src/async/semaphore.ts'
import { sideBySide } from '#src/async/side-by-side.ts'
import { turns } from '../fakes/clock.ts'

const gates = (count: number) => Array.from({ length: count }, () => Promise.withResolvers<void>())

describe('pieces of work', () => {
  it('one by one: in their order, whatever becomes of those before', async () => {
    const inTurn = oneByOne()
    const done: string[] = []
    const failed = inTurn(async () => {
      done.push('first')
      throw new Error('a bug')
    })
    const second = inTurn(async () => done.push('second'))
    await expect(failed).rejects.toThrow('a bug')
    await second
    expect(done).toEqual(['first', 'second'])
  })

  it('side by side: so many at once; all are tried, then the first failure is thrown', async () => {
    const open = gates(3)
    const begun: number[] = []
    const all = sideBySide([0, 1, 2], 2, async (i) => {
      begun.push(i)
      await open[i]!.promise
    })
    const refused = expect(all).rejects.toThrow('a bug')
    await turns()
    expect(begun).toEqual([0, 1])
    open[0]!.reject(new Error('a bug'))
    await turns()
    expect(begun).toEqual([0, 1, 2])
    open[1]!.resolve()
    open[2]!.resolve()
    await refused
  })

  it('all finished: the first failure is thrown when nothing is at work any more', async () => {
    const [slow] = gates(1)
    let thrown: unknown
    void finishAll([Promise.reject(new Error('a bug')), slow!.promise]).catch((error) => {
      thrown = error
    })
    await turns()
    expect(thrown).toBeUndefined()
    slow!.resolve()
    await turns()
    expect(thrown).toMatchObject({ message: 'a bug' })
  })
})

describe('a semaphore', () => {
  const hold = () => {
    const over = new AbortController()
    let progressed = 0
    return { signal: over.signal, progress: () => void progressed++, over, progressed: () => progressed }
  }

  it('lets in so many; who waits shares their progress, and may drop out', async () => {
    const semaphore = createSemaphore(1)
    const [work] = gates(1)
    const first = semaphore.run(hold(), async ({ progress }) => {
      await work!.promise
      progress()
    })
    const [dropped, second] = [hold(), hold()]
    const left = semaphore.run(dropped, async () => 'never')
    const entered = semaphore.run(second, async () => 'done')
    dropped.over.abort(new Error('the claim was lost'))
    await expect(left).rejects.toThrow('the claim was lost')
    expect(second.progressed()).toBe(0)
    work!.resolve()
    await first
    expect(await entered).toBe('done')
    expect([second.progressed(), dropped.progressed()]).toEqual([1, 0])
  })
})

describe('one who waits', () => {
  it('is woken by an event that was set before, once', async () => {
    const event = createAutoResetEvent()
    event.set()
    event.set()
    await event.wait()
    let woken = false
    const waiting = event.wait().then(() => {
      woken = true
    })
    await turns()
    expect(woken).toBe(false)
    event.set()
    await waiting
  })

  it('reads what callbacks put in, to the end; a failure comes at once', async () => {
    const inbox = createInbox<number>()
    const read: number[] = []
    const reading = (async () => {
      for await (const item of inbox.items()) read.push(item)
    })()
    inbox.put(1)
    await turns()
    inbox.put(2)
    inbox.end()
    await reading
    expect(read).toEqual([1, 2])
    inbox.put(3)
    inbox.end({ error: new Error('broken') })
    await expect(inbox.items().next()).rejects.toThrow('broken')
  })
})
