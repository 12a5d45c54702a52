import { expect, it, vi } from 'vitest'
import { createOffsetStore } from '#infra/broker/embedded/offset-store.ts'

const away = new Error('the disk is full')

/** Answers to calls are given one by one. */
const heldCommit = () => {
  const asked: { readonly next: number; readonly answer: PromiseWithResolvers<boolean> }[] = []
  const commit = vi.fn((next: number) => {
    const answer = Promise.withResolvers<boolean>()
    asked.push({ next, answer })
    return answer.promise
  })
  return { commit, asked }
}

it('an offset is stored while the next batch is handled; the one behind that waits for it', async () => {
  const { commit, asked } = heldCommit()
  const offsets = createOffsetStore(0, commit, () => {})
  await offsets.put(10)
  const second = vi.fn()
  const put = offsets.put(20).then(second)
  expect(asked.map(({ next }) => next)).toEqual([10, 20])
  await Promise.resolve()
  expect(second).not.toHaveBeenCalled()
  asked[0]!.answer.resolve(true)
  await put
  asked[1]!.answer.resolve(true)
  await offsets.flushed()
  await offsets.flushed()
  expect(commit).toHaveBeenCalledTimes(2)
})

it('an offset that could not be stored is told of, and stored by the next call', async () => {
  const { commit, asked } = heldCommit()
  const offsets = createOffsetStore(0, commit, () => {})
  await offsets.put(10)
  asked[0]!.answer.reject(away)
  await expect(offsets.flushed()).rejects.toBe(away)
  const again = offsets.flushed()
  expect(asked.map(({ next }) => next)).toEqual([10, 10])
  asked[1]!.answer.resolve(true)
  await again
})

it('a failure is told of by the offset behind it, which is stored all the same', async () => {
  const { commit, asked } = heldCommit()
  const offsets = createOffsetStore(0, commit, () => {})
  await offsets.put(10)
  asked[0]!.answer.reject(away)
  await expect(offsets.put(20)).rejects.toBe(away)
  asked[1]!.answer.resolve(true)
  await offsets.flushed()
  expect(asked.map(({ next }) => next)).toEqual([10, 20])
})

it('who has lost the partition is told once, and stores no more', async () => {
  const lost = vi.fn()
  const commit = vi.fn(async () => false)
  const offsets = createOffsetStore(5, commit, lost)
  await offsets.flushed()
  expect(commit).not.toHaveBeenCalled()
  await offsets.put(10)
  await offsets.flushed()
  await offsets.flushed()
  expect(commit).toHaveBeenCalledTimes(1)
  expect(lost).toHaveBeenCalledTimes(1)
})
