import { mkdirSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds()

describe('what is away is a sentence, and 3', () => {
  test('a folder of content that is not there, or is a file', async () => {
    const none = await fonds.run(['fixity', 'add', `${fonds.folder}/nope`])
    expect(none.code).toBe(3)
    expect(none.err).toContain(`${fonds.folder}/nope: there is no such folder; create it, or mount the disk`)
    const file = await fonds.run(['fixity', 'add', fonds.file('a-file', '')])
    expect(file.code).toBe(3)
    expect(file.err).toContain('is a file; give the folder that holds the content')
    for (const { err } of [none, file]) expect(err).not.toContain('should not')
  })

  test('a log that a newer Fonds has written: run that, and no other advice', async () => {
    await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('a')) })
    const db = new DatabaseSync(`${fonds.home}/fonds.db`)
    db.exec('UPDATE fonds_schema SET version = 99')
    db.close()
    const { code, err } = await fonds.run(['events'])
    expect(code).toBe(3)
    expect(err).toMatch(/have format 99, this Fonds knows \d+: run a newer Fonds on this file\n$/)
  })
})

describe('what is refused is a sentence, and 1: no bug to report', () => {
  test('a check without a store', async () => {
    const { code, err } = await fonds.run(['fixity', 'check'])
    expect(code).toBe(1)
    expect(err).toContain('no folder store is known yet')
    expect(err).not.toContain('should not')
  })

  test('a home below a file', async () => {
    const { code, err } = await fonds.run([
      'backup',
      `${fonds.folder}/copy`,
      '--home',
      fonds.file('a-file', ''),
    ])
    expect(code).toBe(1)
    expect(err).toContain('cannot be used as a folder, or lies below a file')
    expect(err).not.toContain('should not')
  })

  test('an ignore file that is not understood', async () => {
    const folder = `${fonds.folder}/ignoring`
    mkdirSync(folder)
    writeFileSync(`${folder}/.fondsignore`, '!a\n')
    const { code, err } = await fonds.run(['fixity', 'add', folder])
    expect(code).toBe(1)
    expect(err).toContain('.fondsignore, line 1')
    expect(err).not.toContain('should not')
  })
})

describe('a setting whose name is mistyped in the environment', () => {
  const env = { FONDS_BROKRE: 'kafka://a:9092', FONDS_HOME_: '/srv', FONDS_REQUIRE: 'kafka', HOME: '/root' }

  test('is named by doctor', async () => {
    const { rows } = await fonds.run(['doctor'], { env })
    const named = rows.filter(({ check, status }) => check === 'settings' && status === 'warn')
    expect(named.map(({ says }) => says)).toEqual([
      'FONDS_BROKRE is no setting of Fonds and has no effect: did you mean FONDS_BROKER?',
      'FONDS_HOME_ is no setting of Fonds and has no effect: did you mean FONDS_HOME?',
    ])
  })

  test('is named at start', async () => {
    const { err } = await fonds.run(['worker', 'none'], { env })
    expect(err).toContain('warning: FONDS_BROKRE is no setting of Fonds')
  })
})

test('a choice that is none is told with what there is', async () => {
  const { err } = await fonds.run([
    ...['do', 'fixity.resolve', 'store=main', 'path=a', 'resolution=main/a#2', 'how=mended'],
    ...['--actor', 'ada', '--reason', 'r'],
  ])
  expect(err).toContain('how: wants settlement (repaired, accepted, lost or false-alarm), got "mended"')
})
