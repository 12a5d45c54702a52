import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pacedChanges } from '#infra/event-store/sqlite/paced-changes.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const paced = () => {
  const listeners = new Set<() => void>()
  const db = {
    onChange: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const change = () => {
    for (const listener of listeners) listener()
  }
  return { changes: pacedChanges(db, 20), change, listens: () => listeners.size }
}

it('a change is told at once, those of one turn together', () => {
  const { changes, change } = paced()
  let told = 0
  changes.onChange(() => told++)
  change()
  expect(told).toBe(1)
  for (let i = 0; i < 5; i++) change()
  expect(told).toBe(1)
  vi.advanceTimersByTime(1)
  expect(told).toBe(2)
  vi.advanceTimersByTime(100)
  expect(told).toBe(2)
  change()
  expect(told).toBe(3)
})

it('changes that go on are told once in a rest, and soon again after a quiet time', () => {
  const { changes, change } = paced()
  let told = 0
  changes.onChange(() => told++)
  const changeFor = (millis: number) => {
    const before = told
    for (let i = 0; i < millis; i++) {
      change()
      vi.advanceTimersByTime(1)
    }
    return told - before
  }
  expect(changeFor(20)).toBe(20)
  // One rest went by meanwhile.
  expect(changeFor(1000)).toBe(51)
  vi.advanceTimersByTime(80)
  expect(changeFor(3)).toBe(3)
  expect(changeFor(1000)).toBe(50)
})

it('listens while anybody does, and begins anew', () => {
  const { changes, change, listens } = paced()
  let told = 0
  const stops = [changes.onChange(() => told++), changes.onChange(() => told++)]
  change()
  change()
  stops[0]?.()
  expect(listens()).toBe(1)
  stops[1]?.()
  expect(listens()).toBe(0)
  vi.advanceTimersByTime(100)
  expect(told).toBe(2)
  changes.onChange(() => told++)
  change()
  expect(told).toBe(3)
})
