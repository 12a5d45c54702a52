import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { sealAll } from '../app/proof/sealer.ts'
import { reportAttacks, unreadableReports } from '../app/proof/statement-attacks.ts'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds()
const file = () => join(fonds.folder, 'report.html')
const seal = () => fonds.withSystem(({ eventStore }) => sealAll(fonds.home, eventStore))
const report = (...more: string[]) => fonds.run(['fixity', 'report', 'main', '--html', file(), ...more])

beforeEach(async () => {
  await fonds.run(['produce', contentTopic, '--wait'], {
    stdin: lines(recorded('a', 1), recorded('b', 2), recorded('c', 3)),
  })
})

test('without a tree a report is the page alone', async () => {
  expect((await report()).code).toBe(0)
  expect(readFileSync(file(), 'utf8')).toMatch(/<\/html>\n$/)
  expect((await fonds.run(['events', '--type', 'ReportSealed'])).rows).toEqual([])
})

describe('Q33: a report that was given out', () => {
  beforeEach(seal)
  const verify = async () => {
    const policy = fonds.file('archive.policy', (await fonds.run(['proof', 'key', '--policy'])).out)
    return fonds.run(['proof', 'verify', file(), '--policy', policy], {
      env: { FONDS_HOME: join(fonds.folder, 'elsewhere') },
    })
  }

  test('carries its question, the head, its root and its proof', async () => {
    const { code, err } = await report()
    expect([code, err]).toEqual([0, expect.not.stringContaining('no proof')])
    const text = readFileSync(file(), 'utf8')
    expect(text).toMatch(
      /Made at the signed head of \d+ leaves of <bdi>archive\.example\/log<\/bdi>, root <code>\S+<\/code>, in answer to <code>fixity report \{.*main.*\}<\/code>/,
    )
    expect(text).toMatch(
      /<p>Sealed: <code>\S{44}<\/code> is the root of the lines above\.<\/p>\n<!-- .* -->\n$/,
    )
    const { code: verified, out } = await verify()
    expect(verified).toBe(0)
    expect(out).toMatch(
      /the report is the one that was sealed, to the letter: \d+ lines that answer fixity report/,
    )
    expect(out).toContain('is ReportSealed, revision 0 of proof-reports')
    expect((await fonds.run(['events', '--type', 'ReportSealed'])).rows).toMatchObject([
      { data: { report: 'fixity report', head: { origin: 'archive.example/log' } } },
    ])
  })

  test('so does the certificate of an item', async () => {
    const { code } = await fonds.run(['fixity', 'item', 'main', 'b', '--html', file()])
    expect(code).toBe(0)
    const text = readFileSync(file(), 'utf8')
    expect(text).toContain('<bdi>main/b</bdi> is <strong>unchecked</strong>')
    expect(text).toContain('It was never read and found as recorded.')
    expect((await verify()).out).toContain('lines that answer fixity item ')
    writeFileSync(file(), text.replace('never read', 'read today'))
    expect((await verify()).code).toBe(1)
  })

  test('a number changed, or anything else, is found; what has another form proves nothing', async () => {
    await report()
    const text = readFileSync(file(), 'utf8')
    for (const { name, change, found } of reportAttacks) {
      expect(change(text), name).not.toBe(text)
      writeFileSync(file(), change(text))
      const { code, out } = await verify()
      expect([code, out], name).toEqual([1, expect.stringMatching(found)])
      expect(out, name).not.toContain('to the letter')
    }
    for (const { name, change } of unreadableReports) {
      expect(change(text), name).not.toBe(text)
      writeFileSync(file(), change(text))
      const { code, out, err } = await verify()
      expect([code, out, err], name).toEqual([1, '', expect.stringContaining('nothing is proven')])
    }
  })
})
