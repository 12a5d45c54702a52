import { describe, expect, it } from 'vitest'
import { matching } from '#src/projections/matching/projection.ts'
import { research } from '#src/projections/research/projection.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { writeLog } from '../../fakes/matching-log.ts'
import { programme } from '../../fakes/research-programme.ts'
import { type Answered, startServer } from '../server.ts'

/* Commands that look into views: these must show what the log holds, whoever folds them. */

const by = { actor: 'ada', reason: 'a test' }
const command = (name: string) => `/api/v1/commands/${name}`

/** A server that folds nothing by itself; `waiting` resolves with the way to tell it of a fold, once somebody waits for one. */
const withoutFolds = async (patienceMillis = 60_000) => {
  const waiting = Promise.withResolvers<() => void>()
  const onViewChange = (listener: () => void) => {
    waiting.resolve(listener)
    return () => {}
  }
  const server = await startServer({ options: { patienceMillis, running: { onViewChange } } })
  const fold = () => catchUp({ ...server.system, projections: [research, matching] })
  /** The answer, whose command waits until the views are folded. */
  const afterFold = async (answer: Promise<Answered>) => {
    const changed = await Promise.race([waiting.promise, answer])
    if (typeof changed !== 'function') return expect.fail(`it did not wait: ${changed.text}`)
    await fold()
    changed()
    return answer
  }
  return { ...server, fold, afterFold }
}

describe('a command that looks into views', () => {
  it.each([
    ['research.exclude', { curator: 'feed' }],
    ['research.reopen', { episode: 'E1' }],
    ['research.reopen', { clip: 'g' }],
  ])('%s %j: given right after the thing came, waits until they show it', async (name, input) => {
    const { post, system, fold, afterFold } = await withoutFolds()
    await fold()
    await writeLog(system, programme())
    expect(await afterFold(post(command(name), { input, ...by }))).toMatchObject({
      status: 200,
      body: { outcome: 'done' },
    })
  })

  it('is refused by what they show then', async () => {
    const { post, system, afterFold } = await withoutFolds()
    await writeLog(system, programme())
    const answer = post(command('matching.switch'), { input: { generation: 7 }, ...by })
    expect(await afterFold(answer)).toMatchObject({ status: 409, body: { code: 'not-built' } })
  })

  it('is not done where nobody folds them, and says what to look at', async () => {
    const { post, system, fold } = await withoutFolds(30)
    await writeLog(system, programme())
    const exclude = () => post(command('research.exclude'), { input: { curator: 'feed' }, ...by })
    const never = await exclude()
    expect(never).toMatchObject({
      status: 503,
      body: {
        code: 'view-behind',
        detail: expect.stringMatching(
          /^nothing was done: the research views have not been folded yet, .*\/readyz/,
        ),
      },
    })
    expect(never.headers['retry-after']).toBeDefined()
    await fold()
    await writeLog(system, programme())
    const before = await system.eventStore.head()()
    expect((await exclude()).body.detail).toMatch(/the research views are at position \d+, the log .* at \d+/)
    expect(await system.eventStore.head()()).toEqual(before)
  })

  it.each([
    ['research.exclude', { episode: 'E1' }],
    ['research.include', { curator: 'feed' }],
    ['research.reopen', { all: true }],
    ['research.pin', { clip: 'g' }],
  ])('but asks them nothing does not wait: %s %j', async (name, input) => {
    const { post, system } = await withoutFolds(0)
    await writeLog(system, programme())
    expect((await post(command(name), { input, ...by })).status).toBe(200)
  })
})
