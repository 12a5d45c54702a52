import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addMillis, SECOND } from '#src/domain/kernel/time.ts'
import type { ResearcherCommand } from '#src/domain/research/researcher/commands.ts'
import { researcherDecider } from '#src/domain/research/researcher/decide.ts'
import type { ResearcherEvent } from '#src/domain/research/researcher/events.ts'
import { specify } from '../../../given.ts'

const given = specify(researcherDecider)
const start = '2026-01-31T12:00:00.000Z'
const second = (seconds: number) => addMillis(start, seconds * SECOND)
const engine = { name: 'correlator', version: '1', settings: 'rate=8000' }
const self = { version: 'fonds 0.1.0', engine, mediaTypes: ['audio/mpeg'] }
const presenceSeconds = 180

const register = (seconds = 0, description: object = self) =>
  ({ type: 'Register', presenceSeconds, ...description, actor: 'r', at: second(seconds) }) as const
const beat = (seconds: number) =>
  ({ type: 'Beat', presenceSeconds, actor: 'r', at: second(seconds) }) as const
const now = <Type extends 'Drain' | 'Leave' | 'NoteSilent'>(type: Type, seconds: number) =>
  ({ type, actor: 'r', at: second(seconds) }) as const
const byAda = <Type extends 'Block' | 'Unblock'>(type: Type) =>
  ({ type, reason: 'wrong results', actor: 'ada', at: second(1) }) as const

const registered = (seconds = 0, description: object = self): ResearcherEvent => ({
  type: 'ResearcherRegistered',
  data: { presentUntil: second(seconds + presenceSeconds), at: second(seconds), ...description },
})
const beaten = (seconds: number): ResearcherEvent => ({
  type: 'ResearcherBeat',
  data: { presentUntil: second(seconds + presenceSeconds), at: second(seconds) },
})
const draining = (seconds: number): ResearcherEvent => ({
  type: 'ResearcherDraining',
  data: { at: second(seconds) },
})
const absence = (because: 'left' | 'silent', seconds: number): ResearcherEvent => ({
  type: 'ResearcherGone',
  data: { because, at: second(seconds) },
})
const blocked: ResearcherEvent = {
  type: 'ResearcherBlocked',
  data: { reason: 'wrong results', at: second(1) },
}

describe('registering', () => {
  it('L1: makes it present for as long as the settings say, with what it says of itself', () => {
    given().when(register()).gives([registered()])
    given()
      .when(register(0, {}))
      .gives([registered(0, {})])
  })

  it('again with the same words is a beat', () => {
    given(registered()).when(register(10)).gives([])
    given(registered())
      .when(register(90))
      .gives([beaten(90)])
  })

  it('again with other words is news, and shortens nothing', () => {
    const other = { ...self, version: 'fonds 0.2.0' }
    given(registered())
      .when(register(10, other))
      .gives([registered(10, other)])
    given(registered())
      .when({ ...register(10, other), presenceSeconds: 1 })
      .gives([
        { type: 'ResearcherRegistered', data: { presentUntil: second(180), at: second(10), ...other } },
      ])
    given(registered())
      .when(register(10, { ...self, engine: { ...engine, settings: 'rate=16000' } }))
      .gives([registered(10, { ...self, engine: { ...engine, settings: 'rate=16000' } })])
  })

  it.each([
    ['drains', [draining(5)]],
    ['left', [absence('left', 5)]],
    ['was silent', [absence('silent', 200)]],
    ['drained and left', [draining(5), absence('left', 6)]],
  ])('of one that %s makes it present again', (_, history) => {
    given(registered(), ...history)
      .when(register(201))
      .gives([registered(201)])
    expect(given(registered(), ...history).when(register(201)).state).toMatchObject({
      absence: undefined,
      draining: false,
    })
  })

  it('X5: does not unblock', () => {
    expect(given(registered(), blocked, absence('left', 2)).when(register(3)).state?.blocked).toBe(true)
  })
})

describe('beats', () => {
  it('are kept where they move the end of presence by half the presence time', () => {
    given(registered()).when(beat(89.999)).gives([])
    given(registered())
      .when(beat(90))
      .gives([beaten(90)])
    given(registered(), beaten(90)).when(beat(179)).gives([])
  })

  it('of an unknown one register it', () => {
    given()
      .when(beat(1))
      .gives([registered(1, {})])
  })

  it('of one that is gone bring it back as what it was', () => {
    given(registered(), absence('silent', 180))
      .when(beat(181))
      .gives([registered(181)])
    given(registered(), absence('left', 5))
      .when(beat(6))
      .gives([registered(6)])
  })

  it('of one that drains say nothing of draining', () => {
    expect(given(registered(), draining(5)).when(beat(100)).state?.draining).toBe(true)
  })

  it('of one that was silent while it drained: it still drains', () => {
    given(registered(), draining(5), absence('silent', 180))
      .when(beat(181))
      .gives([registered(181), draining(181)])
  })

  it('F26: of a clock that is behind move nothing back', () => {
    given(registered(100)).when(beat(0)).gives([])
  })
})

describe('leaving', () => {
  it('draining and leaving are said once', () => {
    given(registered())
      .when(now('Drain', 5))
      .gives([draining(5)])
    given(registered(), draining(5)).when(now('Drain', 6)).gives([])
    given(registered(), absence('left', 5)).when(now('Drain', 6)).gives([])
    given(registered(), absence('silent', 180))
      .when(now('Drain', 181))
      .gives([draining(181)])
    given(registered())
      .when(now('Leave', 5))
      .gives([absence('left', 5)])
    given(registered(), absence('left', 5)).when(now('Leave', 6)).gives([])
  })

  it('silence is noted where it has lasted, once', () => {
    given(registered()).when(now('NoteSilent', 179)).gives([])
    given(registered())
      .when(now('NoteSilent', 180))
      .gives([absence('silent', 180)])
    given(registered(), beaten(90)).when(now('NoteSilent', 180)).gives([])
    given(registered(), absence('silent', 180)).when(now('NoteSilent', 500)).gives([])
    given().when(now('NoteSilent', 500)).gives([])
  })
})

describe('blocking', () => {
  it('X5: holds until it is taken back', () => {
    given(registered()).when(byAda('Block')).gives([blocked])
    given(registered(), blocked).when(byAda('Block')).gives([])
    given(registered(), blocked)
      .when(byAda('Unblock'))
      .gives([{ type: 'ResearcherUnblocked', data: { reason: 'wrong results', at: second(1) } }])
    given(registered()).when(byAda('Unblock')).gives([])
  })
})

it.each([now('Drain', 1), now('Leave', 1), byAda('Block'), byAda('Unblock')])(
  '$type of one that nobody heard of is refused, and says what to do',
  (command) => {
    given().when(command).gives('unknown-researcher')
    expect(JSON.stringify(given().when(command).result)).toMatch(/check the spelling.*researcher.registered/)
  },
)

describe('whatever happens', () => {
  const seconds = fc.nat({ max: 400 })
  const anyCommand = fc.tuple(
    seconds,
    fc.constantFrom<(pause: number) => ResearcherCommand>(
      (at) => register(at),
      (at) => register(at, {}),
      beat,
      (at) => now('Drain', at),
      (at) => now('Leave', at),
      (at) => now('NoteSilent', at),
      () => byAda('Block'),
      () => byAda('Unblock'),
    ),
  )
  const play = (
    pauses: readonly (readonly [number, (at: number) => ResearcherCommand])[],
    see: (step: {
      readonly command: ResearcherCommand
      readonly before: ReturnType<typeof researcherDecider.evolve>
      readonly after: ReturnType<typeof researcherDecider.evolve>
      readonly events: readonly ResearcherEvent[]
    }) => void,
  ) => {
    let state = researcherDecider.initial
    let elapsed = 0
    for (const [pause, make] of pauses) {
      elapsed += pause
      const command = make(elapsed)
      const decided = researcherDecider.decide(command, state)
      const events = decided._tag === 'Right' ? decided.right : []
      const next = events.reduce(researcherDecider.evolve, state)
      see({ command, before: state, after: next, events })
      state = next
    }
  }

  it('the end of presence never moves back while it is there', () => {
    fc.assert(
      fc.property(fc.array(anyCommand), (steps) =>
        play(steps, ({ before, after }) => {
          if (before && !before.absence) expect(after!.presentUntil >= before.presentUntil).toBe(true)
        }),
      ),
    )
  })

  it('the same command again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(anyCommand), (steps) =>
        play(steps, ({ command, after }) => {
          const again = researcherDecider.decide(command, after)
          if (again._tag === 'Right') expect(again.right).toEqual([])
        }),
      ),
    )
  })

  it('one that beats more than twice in the presence time is never silent', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 89 }), { maxLength: 50 }), (pauses) => {
        const steps = pauses.map((pause) => [pause, beat] as const)
        play([[0, register], ...steps], ({ command, after }) =>
          expect(after!.presentUntil > command.at).toBe(true),
        )
      }),
    )
  })

  it('of many beats few are kept', () => {
    let kept = 0
    play([[0, register], ...Array.from({ length: 180 }, () => [1, beat] as const)], ({ events }) => {
      kept += events.length
    })
    expect(kept).toBe(3)
  })
})
