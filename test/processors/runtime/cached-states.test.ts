import { describe, expect, it } from 'vitest'
import { nothingHandled } from '#src/processors/runtime/handled.ts'
import { streamStates } from '#src/processors/runtime/stream-states.ts'
import { accounts } from './account.ts'
import { useFolder } from './log.ts'

const { openLog } = useFolder()

const stateOf = (text: string) => ({
  state: text as never,
  revision: 0n,
  position: 0n,
  handled: nothingHandled(),
})

/** How many of 1,000 streams, each put twice, are cached within so many bytes, if their states have so many characters. */
const cachedOf = (maxBytes: number, characters: number): number => {
  const states = streamStates(openLog(), maxBytes)
  const names = Array.from({ length: 1000 }, (_, n) => `account-${n}`)
  for (const name of names)
    for (let times = 0; times < 2; times++) states.keep(name, stateOf(`${name}${'x'.repeat(characters)}`))
  return names.filter((name) => states.cached(accounts, name) !== undefined).length
}

describe('cached states', () => {
  it.each([100, 1000, 10_000])('stay within their bytes, states of %i characters each', (characters) => {
    const maxBytes = 1_000_000
    const cached = cachedOf(maxBytes, characters)
    expect(cached * characters).toBeLessThanOrEqual(maxBytes)
    expect(cached * (characters + 600)).toBeGreaterThan(maxBytes / 3)
  })
})
