import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { questionDeaths, refusedQuestions } from '#src/app/question-deaths.ts'
import type { System } from '#src/app/system.ts'
import { HOUR, MINUTE } from '#src/domain/kernel/time.ts'
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
  const deaths = questionDeaths({ workInProgress: inHand, clock, config, log })
  return { inHand, die, clock, deaths, refused: () => refusedQuestions({ workInProgress: inHand, config }) }
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

  it('one is not refused for a message that was in hand at each death, while that may be the cause', async () => {
    for (let death = 0; death < 3; death++) {
      const { deaths, inHand, die } = started()
      inHand.take('message 0', '7-7')
      await deaths!.begin('polled', never)
      die()
    }
    const { deaths, inHand, refused } = started()
    expect(refused()).toEqual([])
    expect(await deaths!.begin('polled', never)).toBeUndefined()
    // It was handled: so it was not the cause.
    for (const one of inHand.leftOf('message 0')) one.resolve()
    expect(refused()).toMatchObject([{ key: 'question/polled' }])
  })

  it('one that was answered is forgotten, though a message was in hand at its deaths', async () => {
    for (let death = 0; death < 2; death++) {
      const { deaths, inHand, die } = started()
      inHand.take('message 0', '7-7')
      await deaths!.begin('polled', never)
      die()
    }
    const { deaths, inHand } = started()
    await deaths!.begin('polled', answered)
    await turns()
    expect(inHand.leftOf('question')).toEqual([])
  })

  it('one that takes more than a minute holds no other up', async () => {
    await dieOf('one')
    await dieOf('two')
    const { deaths, clock } = started()
    await deaths!.begin('one', never)
    let isBegun = false
    void deaths!.begin('two', never).then(() => {
      isBegun = true
    })
    await clock.advance(MINUTE - 1)
    expect(isBegun).toBe(false)
    await clock.advance(1)
    await turns()
    expect(isBegun).toBe(true)
  })

  it('one whose client left before its turn is not answered', async () => {
    await dieOf('one')
    await dieOf('two')
    const { deaths } = started()
    const first = Promise.withResolvers<boolean>()
    await deaths!.begin('one', first.promise)
    const second = deaths!.begin('two', Promise.resolve(false))
    first.resolve(true)
    expect(await second).toBe('its client left before its turn came')
    expect(await deaths!.begin('two', answered)).toBeUndefined()
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

it('what clears a question is a command for a shell, whatever the folder is called', async () => {
  const folder = mkdtempSync(join(tmpdir(), "fonds questions of ada's-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  processes = processesOn(folder)
  for (let death = 0; death < 3; death++) await dieOf('deadly')
  const [cause] = started().refused()
  execFileSync('/bin/sh', ['-c', /`(rm .*?)`/.exec(cause!.todo)![1]!])
  expect(started().refused()).toEqual([])
  expect(readdirSync(folder).filter((name) => name.endsWith('.died'))).toEqual([])
})

it('a death that nobody had a question in hand at has them marked, too', async () => {
  const { inHand, die } = processes.start()
  inHand.begin()
  die()
  expect(started().deaths).toBeDefined()
})
