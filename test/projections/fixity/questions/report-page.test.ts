import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { html } from '#src/domain/kernel/html.ts'
import type { Counts, FixityReport } from '#src/projections/fixity/questions/answers.ts'
import { bar } from '#src/projections/fixity/questions/report-bar.ts'
import { reportPage } from '#src/projections/fixity/questions/report-page.ts'
import { none } from './counts.ts'

const counts: Counts = {
  expected: 12_409,
  verified: 11_871,
  baselined: 0,
  accepted: 0,
  unread: 0,
  lost: 0,
  suspect: 0,
  failed: 3,
  unverified: 20,
  unchecked: 400,
  late: 112,
  parked: 3,
}
const at = '2026-01-31T12:00:00.000Z'
const report: FixityReport = {
  at,
  stores: [
    {
      store: 'main',
      root: '/srv/archive',
      counts,
      bytes: 5 * 2 ** 40,
      prefixes: [{ prefix: 'letters/', counts, bytes: 5 * 2 ** 40 }],
    },
  ],
  resolutions: [
    {
      store: 'main',
      path: 'letters/1912/03.tif',
      resolution: 'F2-1',
      class: 'internal',
      row: 'F2',
      summary: 'The bytes differ from all records.',
      openedAt: '2026-01-30T09:15:00.000Z',
    },
  ],
  failures: [
    {
      store: 'main',
      path: 'letters/1912/03.tif',
      state: 'failed',
      row: 'F2',
      because: 'sha-256 differs',
      lastChecked: '2026-01-30T09:15:00.000Z',
      lastVerified: null,
    },
  ],
}
const clean = (kept: Counts): FixityReport => ({
  at,
  stores: [{ store: 'main', counts: kept, bytes: 0, prefixes: [] }],
  resolutions: [],
  failures: [],
})
const words = (page: string): string =>
  page
    .replace(/<(style|title)>.*?<\/\1>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([,.])/g, '$1')

describe('the report page', () => {
  const page = reportPage(report)

  it('says when, what is expected and what became of it', () => {
    const text = words(page)
    expect(text).toContain('As of 2026-01-31 12:00:00 UTC')
    expect(text).toContain(
      'Of 12,409 items in 1 store: 11,871 verified, 112 late, 400 unchecked, 20 unverified, 3 parked, 3 failed.',
    )
    expect(text).toContain('/srv/archive, 12,409 items expected, 5 TiB')
    expect(text).toContain(
      'Verified 11,871 Baselined 0 Accepted 0 Records agree, not read 0 Late 112 Unchecked 400 Unverified 20 Parked 3 Suspect 0 Lost 0 Failed 3',
    )
    expect(text).toContain('letters/ 12,409 11,871 0 0 0 112 400 20 3 0 0 3 5 TiB All 12,409')
    expect(text).toContain(
      'letters/1912/03.tif main 2026-01-30 09:15:00 UTC internal F2 The bytes differ from all records.',
    )
    expect(text).toContain('failed F2 sha-256 differs 2026-01-30 09:15:00 UTC never')
    expect(text).toContain('1 of 6, by store and path')
  })

  it('stands alone: no script, nothing from elsewhere', () => {
    expect(page).toMatch(/^<!doctype html>/)
    expect(page).not.toMatch(/<script|<link|<img|\ssrc=|\shref=|url\(|@import|https?:/i)
    expect(page).toContain("default-src 'none'")
  })

  it('names its language, headings, captions and the cells that head others', () => {
    expect(page).toMatch(/<html lang="en">/)
    expect(page.match(/<h1>/g)).toHaveLength(1)
    expect(page.match(/<table>/g)?.length).toBe(page.match(/<caption>/g)?.length)
    expect(page).not.toMatch(/<th(?![^>]*scope=)[ >]/)
    expect(page).toMatch(/<svg class="bar" role="img" aria-label="verified 11,871, late 112,/)
  })

  it('warns where the numbers do not add up', () => {
    expect(page).not.toContain('role="alert"')
    const wrong = words(reportPage(clean({ ...counts, expected: 12_410 })))
    expect(wrong).toContain('add up to 12,409, not to 12,410: do not rely on this report')
  })

  it('says in a sentence that all is well, or that there is nothing', () => {
    const all = words(reportPage(clean({ ...none, expected: 7, verified: 7 })))
    expect(all).toContain('All of 7 items in 1 store: verified within their interval.')
    expect(all).toContain('None: nothing waits for anybody.')
    expect(words(reportPage({ at, stores: [], resolutions: [], failures: [] }))).toContain(
      'Nothing is expected',
    )
    expect(words(reportPage(clean({ ...none, expected: 7, verified: 6 })))).not.toContain('All of')
  })

  it('shows hostile names as text', () => {
    const path = '</th><script>alert(1)</script>"\'&\u202egpj.exe\u001b\n'
    const store = '<b>'
    const [resolution] = report.resolutions
    const [failure] = report.failures
    const [section] = report.stores
    const hostile = reportPage({
      at: '"><script>',
      stores: [{ ...section!, store, root: path, prefixes: [{ prefix: path, counts, bytes: 0 }] }],
      resolutions: [{ ...resolution!, path, store, summary: path, class: path, row: path }],
      failures: [{ ...failure!, path, store, because: path, state: path }],
    })
    for (const live of ['<script', '<b>', '\u202e', '\u001b']) expect(hostile).not.toContain(live)
    expect(hostile).toContain(
      '&#60;/th&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#34;&#39;&#38;\\u{202e}gpj.exe\\u{1b}\\n',
    )
    expect(hostile.match(/<th /g)).toHaveLength(page.match(/<th /g)!.length)
  })
})

describe('the bar', () => {
  const pieces = (of: Counts) =>
    [...bar(of).markup.matchAll(/<rect class="(\w+)" x="([\d.]+)" y="0" width="([\d.]+)"/g)].map(
      ([, name, x, width]) => ({ name: name!, x: Number(x), width: Number(width) }),
    )

  it('shows one failed item of a million', () => {
    const [verified, failed] = pieces({ ...none, expected: 1_000_000, verified: 999_999, failed: 1 })
    expect(verified?.width).toBeGreaterThan(980)
    expect(failed).toMatchObject({ name: 'failed' })
    expect(failed?.width).toBeGreaterThan(5)
  })

  it('of nothing is empty and says so', () => {
    expect(bar(none).markup).toContain('aria-label="nothing expected"')
    expect(pieces(none)).toEqual([])
  })

  it('is filled from end to end, without gaps, by what there is', () => {
    const n = fc.nat(1_000_000)
    const some = fc.record({
      verified: n,
      baselined: n,
      accepted: n,
      unread: n,
      lost: n,
      suspect: n,
      failed: n,
      unverified: n,
      unchecked: n,
      late: n,
      parked: n,
    })
    fc.assert(
      fc.property(some, (found) => {
        fc.pre(Object.values(found).some((value) => value > 0))
        const drawn = pieces({ ...found, expected: 0 })
        expect(drawn).toHaveLength(Object.values(found).filter((value) => value > 0).length)
        let end = 0
        for (const { x, width } of drawn) {
          expect(x).toBeCloseTo(end, 0)
          end = x + width
        }
        expect(end).toBeCloseTo(1000, 0)
      }),
    )
  })
})

it('html escapes all but its own', () => {
  const inner = html`<i>${'<&>'}</i>`
  expect(html`<p title="${'"\''}">${[inner, ' ', 7, undefined]}</p>`.markup).toBe(
    '<p title="&#34;&#39;"><i>&#60;&#38;&#62;</i> 7</p>',
  )
})

describe('a store that is away', () => {
  const whole = { ...none, expected: 3, verified: 3 }
  const kept = clean(whole)
  const awaySince = '2026-01-30T09:15:00.000Z'
  const away = {
    ...kept,
    stores: kept.stores.map((store) => ({ ...store, awaySince, away: 'its folder is empty' })),
  }

  it('is said, first of all, and nobody reads that all is verified', () => {
    expect(reportPage(kept)).toContain('verified within their interval')
    const page = reportPage(away)
    expect(page).not.toContain('verified within their interval')
    expect(page).toContain('<strong>1 store is away</strong>, and not checked.')
    expect(page).toMatch(/Away since .*2026-01-30.*its folder is empty/)
  })

  it('that is gone is said as such', () => {
    const gone = { ...kept, stores: kept.stores.map((store) => ({ ...store, goneSince: awaySince })) }
    expect(reportPage(gone)).toMatch(/Nothing of it is found since .*its absence is a finding/)
  })
})

it('each cell says what it is, for narrow screens, and those that are 0 can be left out there', () => {
  const page = reportPage(report)
  expect(page).toContain('<td data-label="Failed" class="n"><span>3</span></td>')
  expect(page).toContain('<td data-label="Lost" class="n zero"><span>0</span></td>')
  expect(page).toContain('<td data-label="Finding"><span>The bytes differ from all records.</span></td>')
})
