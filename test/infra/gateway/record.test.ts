import { isDeepStrictEqual } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { cameTo } from '../../fixtures/eventstoredb-record.ts'
import { abridged } from './record/answers.ts'
import { fitting } from './record/comparison.ts'
import { as24_10, type Difference, differences } from './record/differences.ts'
import { createPlayer } from './record/player.ts'
import { type Came, type Step, scenarios } from './record/record.ts'
import { type Running, runGateway } from './running-gateway.ts'

/* What real servers answered, call by call, is what the gateway answers: status, details, trailers and messages. */

const isListed = (calls: Difference['calls'], scenario: string, at: number): boolean =>
  calls[scenario]?.includes(at) ?? false
const differenceOf = (scenario: string, at: number) =>
  differences.find(({ calls }) => isListed(calls, scenario, at))

/** What a subscription is to see is done while it is open: in the record it stands before it. */
const isMeanwhile = (steps: readonly Step[], at: number): boolean => {
  const next = steps[at + 1]
  return next?.call === 'subscribe' && next.then !== undefined
}

describe('as EventStoreDB answers', () => {
  let running: Running
  afterEach(() => running.dispose())

  /** What came at each step. */
  const playAll = async (steps: readonly Step[]): Promise<readonly Came[]> => {
    // Between two calls time passes: what was written is older than a second then.
    let now = Date.now()
    running = await runGateway({ clock: () => now })
    const player = createPlayer(running.address)
    const came = new Map<number, Came>()
    const play = async (at: number, meanwhile: () => Promise<void>): Promise<void> => {
      now += 2000
      came.set(at, await player.play(steps[at]!, meanwhile))
    }
    for (const at of steps.keys()) {
      if (isMeanwhile(steps, at)) continue
      await play(at, async () => {
        if (isMeanwhile(steps, at - 1)) await play(at - 1, async () => {})
      })
    }
    await player.learnPositions()
    player.close()
    return steps.map((_, at) => abridged(player.named(came.get(at)!)))
  }

  it.each(scenarios)('$scenario', async ({ scenario, steps }) => {
    const all = await playAll(steps)
    for (const [at, step] of steps.entries()) {
      const version = isListed(as24_10, scenario, at) ? '24.10.0' : '23.10.6'
      const { came, recorded } = fitting(step, all[at]!, cameTo(version, step))
      const asked = { at, step: { ...step, came: undefined } }
      const difference = differenceOf(scenario, at)
      if (!difference) expect({ ...asked, came }).toEqual({ ...asked, came: recorded })
      else if (isDeepStrictEqual(came, recorded))
        throw new Error(`call ${at} of "${scenario}" no longer differs: take it off the list`)
    }
  })
})

it('at most 40 of the 349 calls differ, each with its reason', () => {
  expect(scenarios.flatMap(({ steps }) => steps)).toHaveLength(349)
  const listed = differences.flatMap(({ calls }) =>
    Object.entries(calls).flatMap(([scenario, places]) => places.map((at) => ({ scenario, at }))),
  )
  expect(listed.length).toBeLessThanOrEqual(40)
  for (const { scenario, at } of listed)
    expect(scenarios.find((one) => one.scenario === scenario)?.steps[at]).toBeDefined()
})
