import { describe, expect, it } from 'vitest'
import type { ClipEvent } from '#src/domain/research/clip/events.ts'
import { episodeDecider } from '#src/domain/research/episode/decide.ts'
import { specify } from '../../../given.ts'
import { amended, by, curate, curated, details, given, reason, recurated, t } from './clips.ts'

/* Episodes are curated by the same rules; the last test says that they are. */

const placed = { reason, at: t(0) }
const withdrawn: ClipEvent = { type: 'Withdrawn', data: { curator: 'clip-site', at: t(0) } }
const withdraw = { type: 'Withdraw', ...by(0), curator: 'clip-site' } as const

describe('seen for the first time', () => {
  it('L16: the first date is that of the sighting; a missing priority is 0', () => {
    given()
      .when(curate(0, 0))
      .gives([curated(0)])
    given()
      .when(curate(0, 0, { priority: -5 }))
      .gives([curated(0, { priority: -5 })])
  })

  it('L15: or an earlier one, where another system knows it', () => {
    given()
      .when(curate(0, 0, {}, t(-999)))
      .gives([curated(0, { firstCuratedAt: t(-999) })])
  })

  it('F26: dates are not later than now: the first one orders for ever', () => {
    given()
      .when(curate(0, 500))
      .gives([curated(0)])
    given()
      .when(curate(0, 500, {}, t(400)))
      .gives([curated(0)])
  })
})

describe('seen again', () => {
  it('F21: unchanged, only the latest date moves', () => {
    given(curated(0))
      .when(curate(5, 5))
      .gives([recurated(5)])
    given(curated(0), recurated(5))
      .when(curate(9, 9, {}, t(-999)))
      .gives([recurated(9)])
  })

  it('F14: at the same date and unchanged: nothing happens', () => {
    given(curated(0)).when(curate(5, 0)).gives([])
    given(curated(0), amended(5, { priority: 3 }))
      .when(curate(5, 5, { priority: 3 }))
      .gives([])
  })

  it.each([
    ['title', { title: 'The burble' }],
    ['media', { mediaUri: 'https://media.example/burble.mp3' }],
    ['type', { mediaType: 'audio/flac' }],
    ['priority', { priority: 7 }],
    ['curator', { curator: 'another' }],
    ['description', { description: '' }],
  ])('with another %s: amended, at the same date as well', (_, other) => {
    given(curated(0))
      .when(curate(5, 5, other))
      .gives([amended(5, other)])
    given(curated(5))
      .when(curate(5, 5, other))
      .gives([amended(5, other)])
    given(curated(0), amended(5, other))
      .when(curate(9, 9))
      .gives([amended(9)])
  })

  it('media that a stranger names are marked, those of this machine stay as they are when he repeats them', () => {
    const foreign = { foreign: true }
    given()
      .when(curate(0, 0, foreign))
      .gives([curated(0, foreign)])
    given(curated(0))
      .when(curate(5, 5, foreign))
      .gives([recurated(5)])
    given(curated(0, foreign))
      .when(curate(5, 5, foreign))
      .gives([recurated(5)])
    const moved = { mediaUri: 'http://10.0.0.1/burble.mp3', foreign: true }
    given(curated(0))
      .when(curate(5, 5, moved))
      .gives([amended(5, moved)])
  })

  it('and are so no more when this machine names them: what failed may be had now', () => {
    const failed: ClipEvent = {
      type: 'ClipFailed',
      data: {
        stage: 'download',
        error: 'it leads inside',
        episode: 'e',
        researcher: 'r',
        attempt: 1,
        at: t(1),
      },
    }
    const { events } = given(curated(0, { foreign: true }), failed).when(curate(5, 5))
    expect(events).toMatchObject([amended(5), { type: 'Retried' }])
    expect(events[0]?.data).not.toHaveProperty('foreign')
  })

  it('an older sighting is refused, with both dates', () => {
    const { result } = given(curated(0), recurated(5)).when(curate(9, 4, { title: 'older' }))
    expect(result).toMatchObject({
      left: { code: 'older-sighting', details: { offered: t(4), held: t(5) } },
    })
  })

  it('one from a clock that runs ahead does not keep later ones out', () => {
    const ahead = given(curated(0)).when(curate(5, 9_999)).events
    expect(ahead).toEqual([recurated(5)])
    given(curated(0), ...ahead)
      .when(curate(6, 6))
      .gives([recurated(6)])
  })
})

describe('withdrawn', () => {
  it('once, with the reason where one is given', () => {
    given(curated(0)).when(withdraw).gives([withdrawn])
    given(curated(0))
      .when({ ...withdraw, reason })
      .gives([{ type: 'Withdrawn', data: { curator: 'clip-site', at: t(0), reason } }])
    given(curated(0), withdrawn).when(withdraw).gives([])
  })

  it('seen again, it is back, changed or not', () => {
    given(curated(0), withdrawn)
      .when(curate(5, 5))
      .gives([amended(5)])
    given(curated(0), withdrawn, amended(5))
      .when(curate(6, 6))
      .gives([recurated(6)])
    given(curated(0), withdrawn, amended(5)).when(withdraw).gives([withdrawn])
  })

  it('but not by an older sighting that was late', () => {
    given(curated(0), recurated(5), withdrawn).when(curate(9, 4)).gives('older-sighting')
  })
})

describe("a person's word (X7, X15)", () => {
  const prioritise = (priority: number | null) =>
    ({ type: 'Prioritise', ...by(0), priority, reason }) as const
  const prioritised = (priority: number | null): ClipEvent => ({
    type: 'Prioritised',
    data: { priority, ...placed },
  })

  it('a priority is set, changed and taken back; the same again is no event', () => {
    given(curated(0))
      .when(prioritise(9))
      .gives([prioritised(9)])
    given(curated(0), prioritised(9)).when(prioritise(9)).gives([])
    given(curated(0), prioritised(9))
      .when(prioritise(8))
      .gives([prioritised(8)])
    given(curated(0), prioritised(9))
      .when(prioritise(null))
      .gives([prioritised(null)])
    given(curated(0)).when(prioritise(null)).gives([])
  })

  it("a person's 0 is a word as well, and the curator's goes on being heard beneath it", () => {
    given(curated(0))
      .when(prioritise(0))
      .gives([prioritised(0)])
    given(curated(0), prioritised(9))
      .when(curate(5, 5, { priority: 3 }))
      .gives([amended(5, { priority: 3 })])
    given(curated(0), prioritised(9), amended(5, { priority: 3 }))
      .when(prioritise(9))
      .gives([])
  })

  it.each([
    ['Pin', 'Pinned', 'Unpin', 'Unpinned'],
    ['Exclude', 'Excluded', 'Include', 'Included'],
  ] as const)('%s and back, each once', (there, isThere, back, isBack) => {
    given(curated(0))
      .when({ type: there, ...by(0), reason })
      .gives([{ type: isThere, data: placed }])
    given(curated(0), { type: isThere, data: placed })
      .when({ type: there, ...by(0), reason })
      .gives([])
    given(curated(0), { type: isThere, data: placed })
      .when({ type: back, ...by(0), reason })
      .gives([{ type: isBack, data: placed }])
    given(curated(0))
      .when({ type: back, ...by(0), reason })
      .gives([])
  })

  it('of what no curator has seen: refused', () => {
    for (const command of [withdraw, prioritise(1), { type: 'Pin', ...by(0), reason } as const])
      given().when(command).gives('never-curated')
  })
})

it('of an episode it is the same', () => {
  const episode = specify(episodeDecider)
  episode()
    .when(curate(0, 0))
    .gives([
      { type: 'Curated', data: { ...details, priority: 0, firstCuratedAt: t(0), curatedAt: t(0), at: t(0) } },
    ])
  episode().when(withdraw).gives('never-curated')
})
