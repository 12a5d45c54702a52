import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { sealAll } from '../../app/proof/sealer.ts'
import {
  reportAttacks,
  unreadableReports,
  unreadableViews,
  viewAttacks,
} from '../../app/proof/statement-attacks.ts'
import { contentTopic, lines, recorded, useFonds } from '../../cli/fonds.ts'
import { server } from '../servers.ts'

/* The program beside `verify.py`, on files in which an archive states something, as they are and as somebody changed them. */

const judge = server('bagit')
const python = join(dirname('address' in judge ? judge.address : ''), 'python')
const verifier = join(import.meta.dirname, '../../../infra/proof/verifier')

const fonds = useFonds()
const by = ['--actor', 'ada', '--reason', 'a donor asked']
const policy = () => join(fonds.folder, 'archive.policy')

const verify = (file: string) => {
  for (const name of ['verify.py', 'verify_statement.py'])
    cpSync(join(verifier, name), join(fonds.folder, name))
  const { status, stdout, stderr } = spawnSync(
    python,
    ['-B', 'verify_statement.py', file, '--policy', policy()],
    { cwd: fonds.folder, encoding: 'utf8' },
  )
  return { status, found: stdout + stderr }
}

describe.skipIf('absent' in judge)('Q31, Q33: the second program on what an archive stated', () => {
  const file = () => join(fonds.folder, 'items.json')
  beforeEach(async () => {
    await fonds.run(['produce', contentTopic, '--wait'], {
      stdin: lines(recorded('a', 1), recorded('b', 2), recorded('c', 3)),
    })
    await fonds.withSystem(({ eventStore }) => sealAll(fonds.home, eventStore))
    writeFileSync(policy(), (await fonds.run(['proof', 'key', '--policy'])).out)
    await fonds.run(
      ['proof', 'view', 'fixity-items', '--row', 'main', 'b', '--seal', ...by, '--output', file()],
      {},
    )
  })

  it('finds that it holds; finds each change; cannot check what is no proof', () => {
    const whole = verify(file())
    expect(whole.found).toContain('holds      the archive stated that fixity-items had 3 rows')
    expect(whole.found).toMatch(/holds {6}row 1 of them, counted from 0, is \{.*"size":2/)
    expect(whole.found).toMatch(/What was checked holds; \d things were not checked\.\n$/)
    expect(whole.status).toBe(0)
    const text = readFileSync(file(), 'utf8')
    for (const { name, change, found: wanted } of viewAttacks) {
      writeFileSync(file(), change(text))
      const { status, found } = verify(file())
      expect(found, name).toMatch(wanted)
      expect(found, name).toContain('NOT ALL OF IT HOLDS')
      expect(found, name).not.toContain('row 1 of them')
      expect(status, name).toBe(1)
    }
    for (const { name, change } of unreadableViews) {
      writeFileSync(file(), change(text))
      expect(verify(file()).status, name).toBe(2)
    }
  })

  it('Q33: finds that a report holds, a number that was changed, and what has another form', async () => {
    const page = join(fonds.folder, 'report.html')
    await fonds.run(['fixity', 'report', 'main', '--html', page])
    const whole = verify(page)
    expect(whole.found).toMatch(
      /holds {6}the report is the one that was sealed, to the letter: \d+ lines that answer fixity report/,
    )
    expect(whole.status).toBe(0)
    const text = readFileSync(page, 'utf8')
    for (const { name, change, found: wanted } of reportAttacks) {
      writeFileSync(page, change(text))
      const { status, found } = verify(page)
      expect([status, found], name).toEqual([1, expect.stringMatching(wanted)])
      expect(found, name).not.toContain('to the letter')
    }
    for (const { name, change } of unreadableReports) {
      writeFileSync(page, change(text))
      expect(verify(page).status, name).toBe(2)
    }
  })
})
