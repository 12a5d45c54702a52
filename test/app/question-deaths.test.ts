import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { questionDeaths, refusedQuestions } from '#src/app/question-deaths.ts'
import type { System } from '#src/app/system.ts'
import { HOUR } from '#src/domain/kernel/time.ts'
import { fakeClock, turns } from '../fakes/clock.ts'
import { processesOn } from '../fakes/processes.ts'

let processes: ReturnType<typeof processesOn>
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-questions-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  processes = processesOn(folder)
})

const config = { maxDeaths: 3 } as System['config']
const log = pino({ level: 'silent' })
const never = new Promise<boolean>(() => {})
const answered = Promise.resolve(true)

const started = () => {
  const { inHand, die } = processes.start()
  const clock = fakeClock()
  const deaths = questionDeaths({ inHand, clock, config, log })
  return { inHand, die, clock, deaths, refused: () => refusedQuestions({ inHand, config }) }
}

/** A process that dies while it answers; those that wait for their turn are not in hand yet. */
const dieOf = async (...questions: readonly string[]) => {
  const { deaths, die } = started()
  const begun = questions.map((question) => deaths?.begin(question, never))
  await turns()
  die()
  return begun
}

it('no question has a mark while no process has died', () => {
  const { deaths, inHand } = started()
  expect(deaths).toBeUndefined()
  inHand.close()
  expect(started().deaths).toBeUndefined()
})

describe('after a process died', () => {
  beforeEach(() => dieOf('deadly'))

  it('a question is refused that two more died of, until a person has cleared it', async () => {
    await dieOf('deadly')
    expect(started().refused()).toEqual([])
    await dieOf('deadly')
    const last = started()
    expect(await last.deaths!.begin('deadly', never)).toMatch(
      /^2 processes in a row died while they answered it/,
    )
    expect(await last.deaths!.begin('harmless', answered)).toBeUndefined()
    const [cause] = last.refused()
    expect(cause).toMatchObject({
      key: 'question/deadly',
      says: expect.stringContaining('(deadly): 2 processes'),
    })
    const files = /`rm (.*?)`/.exec(cause!.todo)![1]!.split(' ')
    expect(files).toHaveLength(2)
    for (const file of files) rmSync(file)
    expect(await last.deaths!.begin('deadly', answered)).toBeUndefined()
    expect(last.refused()).toEqual([])
  })

  it('one that was answered has no deaths any more, nor one whose client left', async () => {
    await dieOf('slow')
    const { deaths, die } = started()
    await deaths!.begin('slow', answered)
    await deaths!.begin('left', Promise.resolve(false))
    await turns()
    die()
    await dieOf('slow')
    expect(started().refused()).toEqual([])
    expect(await started().deaths!.begin('slow', answered)).toBeUndefined()
  })

  it('one that is in hand beside the deadly one is not refused for its sake', async () => {
    await dieOf('deadly', 'harmless')
    const begun = await dieOf('deadly', 'harmless')
    expect(await begun[0]).toBeUndefined()
    const last = started()
    expect(last.refused().map(({ key }) => key)).toEqual(['question/deadly'])
    expect(await last.deaths!.begin('harmless', answered)).toBeUndefined()
  })

  it('those that may be the cause are answered one after the other', async () => {
    await dieOf('one', 'two')
    const { deaths } = started()
    const first = Promise.withResolvers<boolean>()
    await deaths!.begin('one', first.promise)
    let isBegun = false
    const second = deaths!.begin('two', answered).then(() => {
      isBegun = true
    })
    await turns()
    expect(isBegun).toBe(false)
    first.resolve(false)
    await second
  })

  it('questions have marks for an hour', async () => {
    const { deaths, clock, inHand, die } = started()
    await clock.advance(HOUR)
    await deaths!.begin('late', never)
    die()
    expect(processes.start().inHand.leftOf('question')).toEqual([])
    expect(inHand.leftOf('question')).toEqual([])
  })
})

it('a death that nobody had a question in hand at has them marked, too', async () => {
  const { inHand, die } = processes.start()
  inHand.begin()
  die()
  expect(started().deaths).toBeDefined()
})
