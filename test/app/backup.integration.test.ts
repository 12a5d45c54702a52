import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contentTopic, lines, recorded, useFonds } from '../cli/fonds.ts'

/* A home is copied, looked at, and put back, as people do it. */

const fonds = useFonds()
const by = ['--actor', 'ann', '--reason', 'new']

const fill = async (...paths: readonly string[]) => {
  await fonds.run(['do', 'fixity.register-store', 'store=main', 'kind=external', ...by])
  const { code } = await fonds.run(['produce', contentTopic, '--wait'], {
    stdin: lines(...paths.map((path) => recorded(path))),
  })
  expect(code).toBe(0)
}
const place = () => join(fonds.folder, 'copies', 'one')
const backUp = (...more: readonly string[]) => fonds.run(['backup', place(), ...more])
const verify = () => fonds.run(['backup', '--verify', place()])
const items = async (home = fonds.home) => {
  const { rows } = await fonds.run(['query', 'fixity-items', '--home', home])
  return rows.map(({ path }) => path)
}

describe('a backup', () => {
  it('holds the log, is proved, and says what it is', async () => {
    await fill('a', 'b')
    const { code, rows, err } = await backUp()
    expect([code, err]).toEqual([0, ''])
    expect(rows).toMatchObject([{ folder: place(), files: 1, elsewhere: [] }])
    expect(readdirSync(place()).sort()).toEqual(['SHA256SUMS', 'backup.json', 'fonds.db'])
    expect((await verify()).rows).toMatchObject([{ ok: true, faults: [] }])
    execFileSync('sha256sum', ['--quiet', '-c', 'SHA256SUMS'], { cwd: place() })
  })

  it('copied over an empty home is the archive as it was', async () => {
    await fill('a')
    await backUp()
    await fill('later')
    const home = join(fonds.folder, 'other')
    cpSync(place(), home, { recursive: true })
    expect(await items(home)).toEqual(['a'])
    expect((await fonds.run(['doctor', '--home', home])).rows.map(({ check }) => check)).toContain('views')
    const { code } = await fonds.run(['rebuild', '--all', '--verify', '--home', home])
    expect(code).toBe(0)
    expect(await items()).toEqual(['a', 'later'])
  })

  it('of older code is intact, and copied over an empty home is the archive as it was', async () => {
    mkdirSync(place(), { recursive: true })
    const older = join(import.meta.dirname, '../fixtures/backups/92732f9/backup.tar.gz')
    execFileSync('tar', ['-xzf', older, '-C', place()])
    expect(readdirSync(place()).sort()).toEqual(
      ['SHA256SUMS', 'backup.json', 'clips', 'drop', 'fonds.db', 'index', 'site', 'storage'].sort(),
    )
    expect((await verify()).rows).toMatchObject([{ ok: true, faults: [], files: 12 }])
    const home = join(fonds.folder, 'other')
    cpSync(place(), home, { recursive: true })
    expect(await items(home)).toEqual(['a', 'b'])
    rmSync(place(), { recursive: true })
    const { code, rows } = await fonds.run(['backup', place(), '--home', home])
    expect([code, rows[0]?.files]).toEqual([0, 12])
    expect(await fonds.run(['rebuild', '--all', '--verify', '--home', home])).toMatchObject({ code: 0 })
  })

  it('is not changed by doctor, which names it', async () => {
    await fill('a')
    await backUp()
    const { rows } = await fonds.run(['doctor', '--home', place()])
    expect(rows).toContainEqual(
      expect.objectContaining({ check: 'backup', status: 'warn', says: expect.stringContaining(place()) }),
    )
    expect((await verify()).rows).toMatchObject([{ ok: true, faults: [] }])
  })

  it('of which a part was overwritten is not sound for doctor, which changes nothing', async () => {
    await fill('a')
    await backUp()
    const log = join(place(), 'fonds.db')
    const bytes = readFileSync(log)
    writeFileSync(log, bytes.fill(0xff, 8192, 16_384))
    const { code, rows } = await fonds.run(['doctor', '--home', place()])
    expect(code).toBe(1)
    expect(rows).toContainEqual(expect.objectContaining({ check: 'integrity', status: 'fail' }))
    expect(readFileSync(log).equals(bytes)).toBe(true)
    expect(readdirSync(place())).not.toContain('views.db')
  })

  it('put back beside views that are further: they are folded anew, and new work goes on', async () => {
    await fill('a')
    await backUp()
    await fill('later')
    expect(await items()).toEqual(['a', 'later'])
    for (const name of readdirSync(fonds.home).filter((name) => name.startsWith('fonds.db')))
      rmSync(join(fonds.home, name))
    cpSync(place(), fonds.home, { recursive: true })
    expect(await items()).toEqual(['a'])
    await fill('new')
    expect(await items()).toEqual(['a', 'new'])
  })

  it('holds objects, uploads that wait and the index, and nothing of what can be made again', async () => {
    await fill('a')
    const file = (path: string, text: string) => {
      mkdirSync(join(fonds.home, path, '..'), { recursive: true })
      writeFileSync(join(fonds.home, path), text)
    }
    const inventory = JSON.stringify({ versions: { v1: {} } })
    file('storage/0=ocfl_1.1', 'ocfl_1.1\n')
    file('storage/a/0=ocfl_object_1.1', 'ocfl_object_1.1\n')
    file('storage/a/inventory.json', inventory)
    file('storage/a/inventory.json.sha512', 'x')
    file('storage/a/v1/content/one\ntwo\\three.txt', '1')
    file('storage/a/v2/content/under way', '2')
    file('storage/extensions/fonds-staging/p/w/half', '3')
    file('drop/batch/in.txt', '4')
    file('drop/.coming/half.txt', '5')
    file('index/runs/r-1.cdx', '6')
    file('index/runs/t-1.cdx', '7')
    file(
      'index/runs/manifest',
      `fonds.capture-index 1 x\n${JSON.stringify({ live: [{ name: 'r-1' }], removed: [] })}`,
    )
    file('index/incoming/change', '8')
    file('media/fetched', '9')
    file('clips/abc.wav', '10')
    file('clips/half.part', '11')
    const { code, err } = await backUp()
    expect([code, err]).toEqual([0, ''])
    const held = readFileSync(join(place(), 'SHA256SUMS'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^\\?[0-9a-f]{64} {2}/, ''))
    expect(held.sort()).toEqual(
      [
        'backup.json',
        'clips/abc.wav',
        'drop/batch/in.txt',
        'fonds.db',
        'index/incoming/change',
        'index/runs/manifest',
        'index/runs/r-1.cdx',
        'storage/0=ocfl_1.1',
        'storage/a/0=ocfl_object_1.1',
        'storage/a/inventory.json',
        'storage/a/inventory.json.sha512',
        'storage/a/v1/content/one\\ntwo\\\\three.txt',
      ].sort(),
    )
    execFileSync('sha256sum', ['--quiet', '-c', 'SHA256SUMS'], { cwd: place() })
    expect((await verify()).code).toBe(0)
    rmSync(place(), { recursive: true })
    const without = await backUp('--no-storage')
    expect(existsSync(join(place(), 'storage'))).toBe(false)
    expect(without.err).toContain('the objects are in')
  })

  it('keeps no secret', async () => {
    await fill('a')
    await fonds.run(['backup', place()], { env: { FONDS_TOKEN: 'a-secret-of-sixteen-letters' } })
    expect(readFileSync(join(place(), 'backup.json'), 'utf8')).not.toContain('a-secret')
  })

  it('of a home whose log and topics are on servers says what has to be copied there', async () => {
    mkdirSync(join(fonds.home, 'storage'), { recursive: true })
    writeFileSync(join(fonds.home, 'storage', 'x'), 'x')
    const { code, rows, err } = await fonds.run([
      'backup',
      place(),
      ...['--event-store', 'esdb://fonds:geheim@log.example:2113', '--broker', 'kafka://broker.example:9092'],
    ])
    expect(code).toBe(0)
    expect(rows[0]?.position).toBeNull()
    expect(err).toContain('the log is at esdb://')
    expect(err).toContain('the topics are at kafka://broker.example:9092')
    expect(err + readFileSync(join(place(), 'backup.json'), 'utf8')).not.toContain('geheim')
  })
})

describe('is refused', () => {
  it('where something is in its place: nothing is overwritten', async () => {
    await fill('a')
    mkdirSync(place(), { recursive: true })
    writeFileSync(join(place(), 'mine'), 'x')
    const { code, err } = await backUp()
    expect([code, readdirSync(place())]).toEqual([1, ['mine']])
    expect(err).toContain('name another folder')
  })

  it('of a home that holds nothing', async () => {
    const { code, err } = await backUp()
    expect([code, existsSync(place())]).toEqual([1, false])
    expect(err).toContain('--home')
  })

  it('of a damaged log: no backup is there, and no half one', async () => {
    await fill('a')
    const file = join(fonds.home, 'fonds.db')
    const bytes = readFileSync(file)
    bytes.fill(0x55, 4096 * 2, 4096 * 6)
    writeFileSync(file, bytes)
    const { code, err } = await backUp()
    expect([code, readdirSync(join(place(), '..'))]).toEqual([3, []])
    expect(err).toContain('cannot be copied')
  })
})

describe('--verify finds', () => {
  it.each([
    ['a file that was changed', () => appendFileSync(join(place(), 'fonds.db'), 'x'), 'fonds.db was changed'],
    ['one that is missing', () => rmSync(join(place(), 'fonds.db')), 'fonds.db is missing'],
    ['one that came later', () => writeFileSync(join(place(), 'extra'), 'x'), 'extra was added later'],
    [
      'a list that was cut',
      () => writeFileSync(join(place(), 'SHA256SUMS'), ''),
      'SHA256SUMS is missing or damaged',
    ],
    [
      'a list without a line',
      () => {
        const list = join(place(), 'SHA256SUMS')
        writeFileSync(list, readFileSync(list, 'utf8').split('\n').slice(1).join('\n'))
      },
      'SHA256SUMS lists 1 files, 2 were written',
    ],
    ['no backup at all', () => rmSync(join(place(), 'backup.json')), 'is no backup'],
  ])('%s', async (_, spoil, says) => {
    await fill('a')
    await backUp()
    spoil()
    const { code, err, rows } = await verify()
    expect([code, rows[0]?.ok]).toEqual([1, false])
    expect(err).toContain(says)
  })
})
