import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { surt } from '@fonds/cdx'
import { describe, expect, it } from 'vitest'
import { generatedUrl } from '../../../packages/cdx/test/surt/urls.ts'
import { useSeed } from '../../e2e/crash/seed.ts'
import { server } from '../servers.ts'

/* Keys of URLs, judged by PyPI's `surt`. */

const judge = server('surt')

type Verdict = string | { readonly error: string }

/** Where we differ, and why. */
const differences: readonly {
  readonly why: string
  readonly isOf: (url: string, verdict: Verdict) => boolean
}[] = [
  {
    why: 'a port that is no number from 0 to 65535: surt throws; we take it for a part of the host, as surt does without `//`',
    isOf: (_, verdict) => errorOf(verdict).startsWith('ValueError: Port'),
  },
  {
    why: 'blanks alone: surt throws; our key is -, as of an empty URL',
    isOf: (url, verdict) => /^[ \t-\r]*$/.test(url) && errorOf(verdict).startsWith('AttributeError'),
  },
  {
    why: 'filedesc: surt keeps blanks, line breaks and characters beyond ASCII, which part fields of an index; we escape them',
    isOf: (url, verdict) => /^filedesc/.test(url) && /[^\x21-\x7e]/.test(String(verdict)),
  },
]

const errorOf = (verdict: Verdict): string => (typeof verdict === 'string' ? '' : verdict.error)

/** One process for all; a URL is text, or an array of its bytes. */
const verdictsOn = (urls: readonly (string | readonly number[])[]): readonly Verdict[] => {
  const said = spawnSync(
    'address' in judge ? judge.address : '',
    [join(import.meta.dirname, 'judge-surt.py')],
    {
      input: urls.map((url) => `${JSON.stringify(url)}\n`).join(''),
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    },
  )
  const verdicts = said.stdout
    .trimEnd()
    .split('\n')
    .map((line): Verdict => JSON.parse(line))
  expect(verdicts, said.stderr).toHaveLength(urls.length)
  return verdicts
}

describe.skipIf('absent' in judge)('keys', () => {
  it('of 100,000 generated URLs are those that surt gives', () => {
    const { chance } = useSeed()
    const urls = Array.from({ length: 100_000 }, () => generatedUrl(chance).toWellFormed())
    const verdicts = verdictsOn(urls)
    const differing = urls.flatMap((url, i) => {
      const verdict = verdicts[i]!
      const key = surt(url)
      return key === verdict || differences.some(({ isOf }) => isOf(url, verdict))
        ? []
        : [{ url, verdict, key }]
    })
    expect(differing.slice(0, 10)).toEqual([])
    const judged = verdicts.filter((verdict) => typeof verdict === 'string')
    expect(judged.length).toBeGreaterThan(90_000)
    expect(new Set(judged).size).toBeGreaterThan(80_000)
  })

  it('of URLs whose bytes are no UTF-8 are those that surt gives the bytes', () => {
    const { chance } = useSeed()
    const urls = Array.from({ length: 2000 }, () => {
      const bytes = Array.from({ length: 12 }, () => 0x61 + Math.floor(chance() * 159))
      return [...Buffer.from('http://a.com/'), ...bytes]
    })
    const verdicts = verdictsOn(urls)
    const keys = urls.map((bytes) =>
      surt(
        Buffer.from(bytes)
          .toString('latin1')
          .replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`),
      ),
    )
    expect(keys).toEqual(verdicts)
  })

  it('of hosts with any character of Unicode 3.2, which IDNA 2003 rests on, are those that surt gives', () => {
    const characters = unicode32()
    const urls = characters.map((character) => `http://a${character}b.com/`)
    const verdicts = verdictsOn(urls)
    const differing = characters.filter((_, i) => surt(urls[i]!) !== verdicts[i])
    // Unicode's corrigendum 4 gave these five another normal form; Node has it, Unicode 3.2 has not.
    expect(differing).toEqual(['\u{2f868}', '\u{2f874}', '\u{2f91f}', '\u{2f95f}', '\u{2f9bf}'])
    expect(characters.length).toBeGreaterThan(90_000)
  })
})

/** Beyond ASCII; without surrogates and private use. */
const unicode32 = (): readonly string[] => {
  const program = [
    'from unicodedata import ucd_3_2_0 as old',
    'all = (chr(c) for c in range(0x80, 0xE1000))',
    "print(''.join(c for c in all if old.category(c) not in ('Cn', 'Cs', 'Co')).encode('unicode_escape').decode())",
  ].join('\n')
  const said = spawnSync('address' in judge ? judge.address : '', ['-c', program], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  const codes = said.stdout.match(/\\(?:x..|u.{4}|U.{8})/g) ?? []
  return codes.map((code) => String.fromCodePoint(Number.parseInt(code.slice(2), 16)))
}
