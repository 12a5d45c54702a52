import { beforeEach, describe, expect, it } from 'vitest'
import { HOUR, MINUTE } from '#src/domain/kernel/time.ts'
import { ageLines } from '#src/projections/indexing/questions/age-lines.ts'
import {
  countFailed,
  failedLines,
  fileLines,
  lateLines,
} from '#src/projections/indexing/questions/file-lines.ts'
import { whyOf } from '#src/projections/indexing/questions/why.ts'
import { digest, failure, missing, salvaged, success } from '../../../domain/indexing/commands.ts'
import { type IndexingWorld, indexingWorld, named } from '../../../processors/indexing/world.ts'

let world: IndexingWorld
beforeEach(() => {
  world = indexingWorld()
})

const claim = (name: string) =>
  world.on(named(name), {
    type: 'Claim',
    holder: 'w',
    deadline: '2027-01-01T00:00:00.000Z',
    millis: 1,
    policy: world.policy,
  })
const attempt = async (name: string, fence: number, outcome: object) => {
  await claim(name)
  await world.on(named(name), { type: 'Report', fence, outcome, policy: world.policy })
  await world.clock.advance(world.policy.retryMillis)
}
const person = (name: string, type: string) => world.on(named(name), { type, reason: 'a person said so' })
const why = async (name: string) => {
  await world.fold()
  return whyOf(world.row(name)!, world.clock.now())
}

describe('why', () => {
  it.each<[string, () => Promise<unknown>, RegExp, boolean]>([
    ['of a young file', () => world.sight('a.warc', 4), /read from 2026-01-31T12:06:00.000Z on/, false],
    ['of one in the queue', () => world.sight('a.warc'), /in the queue since .* does `fonds start`/, false],
    ['of one at work', () => world.sight('a.warc').then(() => claim('a.warc')), /w reads it now/, false],
    [
      'of an indexed one',
      () => world.sight('a.warc').then(() => attempt('a.warc', 1, success)),
      /^7 lines of it are in the index since/,
      true,
    ],
    [
      'of a failed one',
      () => world.sight('a.warc').then(() => attempt('a.warc', 1, failure)),
      /^1 attempt failed, the last one as truncated: it ends in a record \(at byte 90\)/,
      false,
    ],
    [
      'of a missing one',
      () => world.sight('a.warc').then(() => attempt('a.warc', 1, missing)),
      /when a list shows it again/,
      false,
    ],
    [
      'of a parked one',
      () => world.sight('a.warc').then(() => person('a.warc', 'Park')),
      /a person parked it: a person said so\n.*`fonds indexing rescue main a.warc`/,
      false,
    ],
    [
      'of a withdrawn one',
      () => world.sight('a.warc').then(() => person('a.warc', 'Withdraw')),
      /withdrawn: a person said so\n.*indexing.reset/,
      false,
    ],
    [
      'of an adopted one',
      () => world.on(named('a.warc'), { type: 'Adopt' }),
      /in the index before it was known here/,
      true,
    ],
  ])('%s', async (_, happens, says, findable) => {
    await happens()
    const answer = await why('a.warc')
    expect(answer.reasons.join('\n')).toMatch(says)
    expect(answer.findable).toBe(findable)
  })

  it('of a name that says nothing tells how to say what it is', async () => {
    await world.sight('crawl.bin')
    expect((await why('crawl.bin')).reasons).toEqual([expect.stringContaining('kind=content')])
  })

  it('of a changed file says what can be found until it is read anew', async () => {
    await world.sight('a.warc')
    await attempt('a.warc', 1, success)
    await world.sight('a.warc', 10)
    const { state, reasons, since } = await why('a.warc')
    expect(state).toBe('changed')
    expect(reasons.at(-1)).toBe('until then, 7 lines of it as it was can be found')
    expect(since).toBe(world.clock.now())
  })

  it('tells of a conflict, and of what is odd', async () => {
    await world.sight('a.warc')
    await attempt('a.warc', 1, { ...success, warnings: ['its name says ARC'] })
    await world.sight('a.warc', 60, { place: { location: '/mnt/a.warc' } })
    await world.clock.advance(HOUR)
    await attempt('a.warc', 2, { status: 'compared', verdict: 'different', because: 'other bytes' })
    expect((await why('a.warc')).reasons.slice(1)).toEqual([
      'its name says ARC',
      '/mnt/a.warc has the same name and other contents: other bytes',
    ])
  })
})

describe('a file whose lines the index cannot take (W19)', () => {
  const lose = () =>
    world.on(named('a.warc'), { type: 'LoseLines', digest, reason: 'its run is gone', policy: world.policy })

  it('says so while it is read again, and how often, once it is parked', async () => {
    await world.sight('a.warc')
    for (const fence of [1, 2]) {
      await attempt('a.warc', fence, success)
      await lose()
      await world.clock.advance(world.policy.retryMillis)
    }
    expect(await why('a.warc')).toMatchObject({ state: 'failed', findable: false, lines: null })
    await attempt('a.warc', 3, success)
    expect((await why('a.warc')).reasons.at(-1)).toBe(
      'before, the index could not take its lines: 2 times in a row',
    )
    await lose()
    const { state, findable, reasons } = await why('a.warc')
    expect([state, findable]).toEqual(['parked', false])
    expect(reasons).toEqual([
      '3 attempts failed, the last one as lost: the index could not take its lines 3 times in a row: look at the disk of FONDS_INDEXING_FOLDER. The last time: its run is gone',
      'it waits for a person: `fonds indexing rescue main a.warc` has it tried again',
    ])
    expect(failedLines(world.viewStore, { limit: 10 })).toMatchObject([
      {
        name: 'a.warc',
        state: 'parked',
        failures: 3,
        code: 'lost',
        command: 'fonds indexing rescue main a.warc',
      },
    ])
    await person('a.warc', 'Rescue')
    await attempt('a.warc', 4, success)
    expect((await why('a.warc')).reasons).toEqual([expect.stringMatching(/^7 lines of it are in the index/)])
  })
})

it('those that failed come in pages, of how many', async () => {
  for (const name of ['a.warc', 'b.warc', 'c.warc']) await world.sight(name)
  await attempt('a.warc', 1, failure)
  await person('b.warc', 'Park')
  await world.fold()
  const page = (offset: number) => failedLines(world.viewStore, { limit: 1, offset }).map(({ name }) => name)
  expect([page(0), page(1), page(2)]).toEqual([['a.warc'], ['b.warc'], []])
  expect(countFailed(world.viewStore, {})).toBe(2)
  expect(countFailed(world.viewStore, { repository: 'other' })).toBe(0)
})

describe('a salvaged file (W16, W20)', () => {
  const salvage = async () => {
    await world.sight('a.warc')
    await attempt('a.warc', 1, failure)
    expect((await why('a.warc')).reasons.at(-1)).toMatch(
      /^`fonds do indexing.salvage repository=main name=a.warc` has/,
    )
    await person('a.warc', 'Salvage')
    await attempt('a.warc', 2, salvaged)
  }

  it('says what is lost of it, in each answer', async () => {
    await salvage()
    expect(await why('a.warc')).toMatchObject({
      findable: true,
      salvaged: true,
      reasons: [
        expect.stringMatching(/^7 lines of it are in the index/),
        'it is damaged and was salvaged: 10 bytes in 1 place are lost, and what they held cannot be found',
        'bytes 90 to 99 are lost: it ends in a record',
      ],
    })
    expect(fileLines(world.viewStore, { limit: 10, salvaged: true })).toMatchObject([
      { name: 'a.warc', state: 'indexed', salvaged: true, lostBytes: 10 },
    ])
    expect(fileLines(world.viewStore, { limit: 10, salvaged: false })).toEqual([])
  })

  it('is not said to be one any more once it has changed', async () => {
    await salvage()
    await person('a.warc', 'Reset')
    expect(await why('a.warc')).toMatchObject({ state: 'changed', salvaged: false })
    await attempt('a.warc', 3, success)
    expect(await why('a.warc')).toMatchObject({ findable: true, salvaged: false })
    expect(world.row('a.warc')).toMatchObject({ salvaged: 0, loss: null, lostBytes: null })
  })
})

describe('lists', () => {
  const all = { limit: 10 }

  it('W19 of failed files have reasons, the most failures first', async () => {
    for (const name of ['one.warc', 'three.warc', 'good.warc']) await world.sight(name)
    await attempt('one.warc', 1, failure)
    for (const fence of [1, 2, 3]) await attempt('three.warc', fence, failure)
    await attempt('good.warc', 1, success)
    await world.fold()
    expect(failedLines(world.viewStore, all)).toMatchObject([
      {
        name: 'three.warc',
        state: 'parked',
        failures: 3,
        code: 'truncated',
        because: failure.reason,
        offset: 90,
      },
      { name: 'one.warc', state: 'failed', failures: 1 },
    ])
    expect(fileLines(world.viewStore, { ...all, state: 'indexed' })).toMatchObject([
      { name: 'good.warc', lines: 7 },
    ])
    expect(fileLines(world.viewStore, { ...all, conflict: true })).toEqual([])
  })

  it('W1 of late files begin with the oldest, whatever keeps it from the index', async () => {
    const late = (hours: number) =>
      lateLines(world.viewStore, world.clock.now(), { ...all, hours }).map(({ name }) => name)
    await world.sight('parked.warc')
    await person('parked.warc', 'Park')
    await world.clock.advance(MINUTE)
    await world.sight('failed.warc')
    await attempt('failed.warc', 1, failure)
    for (const name of ['good.warc', 'withdrawn.warc', 'unknown.bin']) await world.sight(name)
    await attempt('good.warc', 1, success)
    await person('withdrawn.warc', 'Withdraw')
    await world.fold()
    expect(late(0)).toEqual(['parked.warc', 'failed.warc'])
    expect(late(60)).toEqual([])
    await world.clock.advance(60 * HOUR)
    expect(late(60)).toEqual(['parked.warc', 'failed.warc'])
  })

  it('W1 of ages count each file that is not in the index once, by its state and by how long it has not been', async () => {
    const ages = async (limit = 10) => {
      await world.fold()
      return ageLines(world.viewStore, world.clock.now(), { limit }).map(
        ({ state, fromHours, toHours, files }) => [state, fromHours, toHours, files],
      )
    }
    for (const name of ['parked.warc', 'good.warc', 'withdrawn.warc', 'unknown.bin']) await world.sight(name)
    await person('parked.warc', 'Park')
    await attempt('good.warc', 1, success)
    await person('withdrawn.warc', 'Withdraw')
    expect(await ages()).toEqual([['parked', 0, 1, 1]])
    await world.clock.advance(72 * HOUR - 1)
    for (const name of ['one.warc', 'two.warc']) await world.sight(name)
    expect(await ages()).toEqual([
      ['new', 0, 1, 2],
      ['parked', 72, 168, 1],
    ])
    await world.clock.advance(HOUR)
    expect(await ages()).toEqual([
      ['new', 1, 24, 2],
      ['parked', 72, 168, 1],
    ])
    await world.clock.advance(10_000 * HOUR)
    expect(await ages(1)).toEqual([['new', 720, null, 2]])
    await person('two.warc', 'Park')
    await world.sight('three.warc')
    expect(await ages()).toEqual([
      ['new', 0, 1, 1],
      ['new', 720, null, 1],
      ['parked', 720, null, 2],
    ])
  })
})
