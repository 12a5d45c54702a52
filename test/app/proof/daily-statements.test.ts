import { expect, test } from 'vitest'
import { createDailyStatements, type DailyStatement, pollMillis } from '#src/app/proof/daily-statements.ts'
import { aborted } from '#src/async/aborted.ts'
import { fakeClock, turns, until } from '../../fakes/clock.ts'

const statement = (state: DailyStatement['state']): DailyStatement => ({ what: 'state it', state })

const begun = (...statements: readonly DailyStatement[]) => {
  const clock = fakeClock('2026-01-01T00:00:00.000Z')
  const warned: string[] = []
  const log = { warn: (_: unknown, text: string) => warned.push(text) }
  const over = new AbortController()
  const daily = createDailyStatements({ clock, log } as never, statements, over.signal)
  /** After so many milliseconds. */
  const at = async (millis: number) => {
    await clock.advance(millis)
    daily.begin()
    await turns(5)
  }
  return { daily, at, over, warned }
}

test('the first are made after ten minutes, one after the other, each though another fails', async () => {
  const made: string[] = []
  const failing = statement(async () => {
    made.push('first')
    throw new Error('the log is away')
  })
  const second = statement(async () => void made.push('second'))
  const { at, warned } = begun(failing, second)
  await at(pollMillis - 1)
  expect(made).toEqual([])
  await at(1)
  expect(made).toEqual(['first', 'second'])
  expect(warned).toEqual(['cannot state it; retrying later'])
  await at(1)
  await at(pollMillis)
  expect(made).toEqual(['first', 'second', 'first', 'second'])
})

test('one that takes long delays nobody, is not begun twice, and ends with the sealing', async () => {
  let times = 0
  let isEnded = false
  const long = statement(
    (signal) =>
      new Promise((_, reject) => {
        times++
        signal.addEventListener('abort', () => {
          isEnded = true
          reject(signal.reason)
        })
      }),
  )
  const never = statement(async () => expect.unreachable())
  const { daily, at, warned } = begun(long, never)
  await at(pollMillis)
  await at(pollMillis)
  expect(times).toBe(1)
  await daily.stop()
  expect(isEnded).toBe(true)
  expect(warned).toEqual([])
})

test('the end of the term ends it, too', async () => {
  let isEnded = false
  const long = statement(async (signal) => {
    await aborted(signal)
    isEnded = true
  })
  const { at, over } = begun(long)
  await at(pollMillis)
  over.abort()
  await until(() => isEnded)
})
