import { describe, expect, it } from 'vitest'
import { dueOf, isNothing, knownAfter, watchCauses } from '#src/app/notices/due.ts'
import { noticeMessage } from '#src/app/notices/message.ts'
import { noticeEvents } from '#src/domain/kernel/notices.ts'
import { isQuiet, parseQuietHours } from '#src/domain/kernel/quiet-hours.ts'
import { endOfFixityCause } from '#src/workflows/fixity/cause-ends.ts'

const cause = (key: string, weight = 1) => ({
  key,
  says: `${weight} of ${key}`,
  todo: '`fonds doctor`',
  weight,
})
const always = () => true

describe('what is to be told', () => {
  it('is each cause once, again when there is twice as much, and when it is over', () => {
    const first = dueOf([cause('a', 3)], {}, always)
    expect(first.fresh.map(({ key }) => key)).toEqual(['a'])
    const known = knownAfter({}, first)
    expect(isNothing(dueOf([cause('a', 3)], known, always))).toBe(true)
    expect(isNothing(dueOf([cause('a', 5)], known, always))).toBe(true)
    const grown = dueOf([cause('a', 6)], known, always)
    expect(grown.grown).toEqual([cause('a', 6)])
    const more = knownAfter(known, grown)
    expect(isNothing(dueOf([cause('a', 3)], more, always))).toBe(true)
    const over = dueOf([], more, always)
    expect(over).toEqual({ fresh: [], grown: [], over: ['a'] })
    expect(knownAfter(more, over)).toEqual({})
  })

  it('is nothing before it has lasted: neither what comes, nor what goes', () => {
    const watch = watchCauses()
    const due = (causes: Parameters<typeof dueOf>[0], now: number, known = {}) => {
      watch.see(causes, known, now)
      return dueOf(causes, known, (key) => watch.lastedMillis(key, now) >= 100)
    }
    expect(isNothing(due([cause('a')], 0))).toBe(true)
    expect(isNothing(due([], 50))).toBe(true)
    expect(isNothing(due([cause('a')], 60))).toBe(true)
    expect(isNothing(due([cause('a')], 159))).toBe(true)
    expect(due([cause('a')], 160).fresh).toHaveLength(1)
    expect(isNothing(due([], 170, { a: 1 }))).toBe(true)
    expect(due([], 270, { a: 1 }).over).toEqual(['a'])
  })

  it('stays readable: a thousand causes are told two hundred at a time', () => {
    const causes = Array.from({ length: 1000 }, (_, i) => cause(`k${i}`))
    let known = {}
    for (let messages = 1; messages <= 5; messages++) {
      const due = dueOf(causes, known, always)
      expect(due.fresh).toHaveLength(200)
      known = knownAfter(known, due)
    }
    expect(isNothing(dueOf(causes, known, always))).toBe(true)
  })
})

const telling = { where: 'here', at: '2026-01-31T12:00:00.000Z', endOf: endOfFixityCause }

describe('a message', () => {
  const over = (...keys: readonly string[]) =>
    noticeMessage('id', { fresh: [], grown: [], over: keys }, telling)

  it.each([
    ['away/vault', 'Fonds: store vault is back'],
    ['findings/vault/internal', 'Fonds: no finding of store vault is open any more (internal)'],
    ['parked/fixity/vault', 'Fonds: nothing of store vault is parked any more'],
    [
      'differs/vault',
      'Fonds: no recorded file of store vault is listed as missing, moved or of another size any more',
    ],
    ['dead-letters', 'Fonds: over: dead-letters'],
  ])('about %s that is over: %s', (key, subject) => {
    expect(over(key).subject).toBe(subject)
    expect(over(key).text).toContain(subject.slice('Fonds: '.length))
  })

  it('has a subject that a list of mails can show', () => {
    const subjectOf = (one: object) =>
      noticeMessage('id', dueOf([{ ...cause('x'), ...one }], {}, always), telling)
    const brief = subjectOf({
      says: `letters/03.tif: ${'The bytes are not as recorded. '.repeat(9)}`,
      brief: 'a few words',
    })
    expect(brief.subject).toBe('Fonds: a few words')
    expect(brief.text).toContain('- letters/03.tif: The bytes')
    expect(JSON.parse(brief.json).causes[0]).not.toHaveProperty('brief')
    const long = subjectOf({ says: 'word '.repeat(100) }).subject
    expect(long.length).toBeLessThan(112)
    expect(long).toMatch(/^Fonds: (word )+…$/)
  })

  it('has a link where the address of the page is known, and none elsewhere', () => {
    const due = dueOf([{ ...cause('x'), page: '/fixity' }], {}, always)
    const linked = noticeMessage('id', due, { ...telling, publicUrl: 'https://fonds.example/' })
    expect(linked.text).toContain('\n  https://fonds.example/fixity\n')
    expect(JSON.parse(linked.json).causes[0]).toMatchObject({ link: 'https://fonds.example/fixity' })
    expect(noticeMessage('id', due, telling).text).not.toContain('/fixity')
  })
})

it('a message shows hostile names and does not obey them', () => {
  const due = dueOf([{ ...cause('x'), says: 'a\r\nBcc: all@archive.example \u202e' }], {}, always)
  const { subject, text, json } = noticeMessage('id', due, telling)
  for (const shown of [subject, text]) expect(shown).not.toMatch(/\r|\u202e|\nBcc/)
  expect(JSON.parse(json)).toMatchObject({ id: 'id', causes: [{ key: 'x', status: 'new' }] })
})

describe('quiet hours', () => {
  const at = (hours: number, minutes: number) => new Date(2026, 0, 31, hours, minutes).toISOString()
  const quiet = (text: string, hours: number, minutes = 0) =>
    isQuiet(parseQuietHours(text), at(hours, minutes))

  it('may go over midnight; the end is not quiet any more', () => {
    expect([21, 22, 23, 0, 6, 7, 12].map((hour) => quiet('22:00-07:00', hour))).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
      false,
    ])
    expect([11, 12, 13].map((hour) => quiet('12:00-13:00', hour))).toEqual([false, true, false])
    expect(quiet('22:30-07:00', 22, 29)).toBe(false)
  })

  it.each(['', '22-7', '24:00-07:00', '22:60-07:00', '08:00-08:00'])('%j is none', (text) => {
    expect(parseQuietHours(text)).toBeUndefined()
  })
})

it('what was told before can be read for ever', () => {
  const data = {
    message: '0b1f5c0e-3c55-5b7e-8b54-6a8f2f6c1d42',
    known: { 'findings/main/internal': 3 },
    told: ['findings/main/internal'],
    over: ['dead-letters'],
    at: '2026-01-31T12:00:00.000Z',
  }
  const stored = {
    ...{ id: '1', type: 'NoticeSent', stream: 'notice-mail', revision: 0n, position: 1n, data },
    ...{
      recordedAt: data.at,
      metadata: { actor: 'notice', causationId: 'c', correlationId: 'c', schema: 1 },
    },
  }
  expect(noticeEvents.read(stored)).toMatchObject({ _tag: 'Right', right: { type: 'NoticeSent', data } })
})
