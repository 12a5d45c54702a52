import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UnavailableError } from '#src/async/unavailable.ts'
import { type PresenceWord, startPresence } from '#src/workers/research/presence.ts'
import { type FakeClock, fakeClock, turns } from '../../fakes/clock.ts'

let clock: FakeClock
let said: string[]
let away: boolean
let logged: string[]
let presence: ReturnType<typeof startPresence> | undefined
let wanted: boolean
let news: () => void
beforeEach(() => {
  clock = fakeClock()
  said = []
  logged = []
  away = false
  wanted = true
  news = () => {}
  presence = undefined
})
afterEach(async () => {
  await presence?.leave()
})

const log = pino(
  { level: 'info' },
  { write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg) },
)
const wanting = {
  isWanted: () => wanted,
  onNews: (listener: () => void) => {
    news = listener
    return () => {
      news = () => {}
    }
  },
}

const start = (presenceSeconds = () => 180) => {
  presence = startPresence({
    say: async (word: PresenceWord) => {
      if (away) throw new UnavailableError('no broker')
      said.push(`${clock.now().slice(14, 19)} ${word.replace('researcher.', '')}`)
    },
    presenceSeconds,
    ...wanting,
    clock,
    log,
  })
  return presence
}

describe('presence', () => {
  it('registers at once, then beats three times in the time that silence may last', async () => {
    start()
    await clock.advance(180_000)
    expect(said).toEqual(['00:00 registered', '01:00 beat', '02:00 beat', '03:00 beat'])
  })

  it('views that are away do not end it: what they said last holds', async () => {
    let viewsAway = false
    const ask = <A>(answer: A) => {
      if (viewsAway) throw new UnavailableError('the views are damaged')
      return answer
    }
    presence = startPresence({
      say: async (word) => void said.push(word.replace('researcher.', '')),
      presenceSeconds: () => ask(180),
      isWanted: () => ask(true),
      onNews: wanting.onNews,
      clock,
      log,
    })
    await clock.advance(60_000)
    viewsAway = true
    news()
    await clock.advance(60_000)
    expect(said).toEqual(['registered', 'beat', 'beat'])
  })

  it('waits for an item to take, and leaves when there has been none for as long as silence may last', async () => {
    wanted = false
    start()
    await clock.advance(600_000)
    news()
    await turns()
    expect(said).toEqual([])
    wanted = true
    news()
    await turns()
    expect(said).toEqual(['10:00 registered'])
    await clock.advance(60_000)
    wanted = false
    await clock.advance(600_000)
    expect(said).toEqual(['10:00 registered', '11:00 beat', '12:00 beat', '13:00 beat', '14:00 gone'])
    wanted = true
    news()
    await turns()
    news()
    await turns()
    expect(said.slice(5)).toEqual(['21:00 registered'])
  })

  it('goes by the settings in force', async () => {
    let seconds = 30
    start(() => seconds)
    await clock.advance(10_000)
    seconds = 3600
    await clock.advance(30 * 60_000)
    expect(said).toEqual(['00:00 registered', '00:10 beat', '00:20 beat', '20:20 beat'])
  })

  it('beats on while it drains, and says at last that it is gone', async () => {
    const present = start()
    await turns()
    await present.drain()
    await clock.advance(60_000)
    await present.leave()
    await clock.advance(600_000)
    expect(said).toEqual(['00:00 registered', '00:00 draining', '01:00 beat', '01:00 gone'])
  })

  it('with a broker that is away tries again, and tells the log once', async () => {
    away = true
    start()
    await clock.advance(60_000)
    expect(said).toEqual([])
    expect(logged).toHaveLength(1)
    away = false
    await clock.advance(5_000)
    expect(said).toEqual(['01:05 registered'])
    expect(logged.at(-1)).toContain('published again')
    away = true
    await clock.advance(300_000)
    away = false
    await clock.advance(5_000)
    expect(said.at(-1)).toMatch('beat')
    expect(logged).toHaveLength(4)
  })

  it('one that was never heard says neither that it drains nor that it is gone', async () => {
    away = true
    const present = start()
    await clock.advance(7_000)
    await present.drain()
    away = false
    await clock.advance(600_000)
    await present.leave()
    expect(said).toEqual([])
  })

  it('leaves though nobody hears it', async () => {
    const present = start()
    await turns()
    away = true
    await present.drain()
    await present.leave()
    expect(said).toEqual(['00:00 registered'])
    expect(logged).toHaveLength(1)
  })

  it('a registration under way is never overtaken by the word that it is gone', async () => {
    const gate = Promise.withResolvers<void>()
    const words: string[] = []
    const present = startPresence({
      say: async (word) => {
        if (word === 'researcher.registered') await gate.promise
        words.push(word)
      },
      presenceSeconds: () => 180,
      ...wanting,
      clock,
      log,
    })
    await turns()
    const left = present.drain().then(() => present.leave())
    await turns()
    gate.resolve()
    await left
    expect(words).toEqual(['researcher.registered', 'researcher.draining', 'researcher.gone'])
  })
})
