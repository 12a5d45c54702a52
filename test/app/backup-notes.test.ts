import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastBackup, noteBegun, noteLast, unendedBackups } from '../../src/app/backup/notes.ts'
import { verifyBackup } from '../../src/app/backup/verify.ts'
import { useFonds } from '../cli/fonds.ts'

/* What a home knows of its backups. */

const fonds = useFonds()
const at = '2026-01-31T12:00:00.000Z'
const partialOf = (id: string) => join(fonds.folder, `.${id}.fonds-backup-partial`)

/** There is something to copy. */
const registerStore = () =>
  fonds.run([
    'do',
    'fixity.register-store',
    'store=main',
    'kind=external',
    '--actor',
    'ann',
    '--reason',
    'new',
  ])

/** As a process leaves it that is killed in the midst of a backup. */
const killed = async (id: string, changes: object = {}) => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  const { end } = await noteBegun(fonds.home, { id, at, partial: partialOf(id) })
  const [{ note, ...begun } = { note: '' }] = (await unendedBackups(fonds.home)).filter(
    ({ partial }) => partial === partialOf(id),
  )
  await end()
  writeFileSync(note, JSON.stringify({ ...begun, pid, ...changes }))
  mkdirSync(partialOf(id))
  writeFileSync(join(partialOf(id), 'fonds.db'), 'half')
  return note
}

describe('what was stored stays readable', () => {
  it('backup.json of the first format, with its checksums', async () => {
    const folder = join(fonds.folder, 'stored')
    mkdirSync(folder)
    const about =
      '{"format":1,"fonds":"0.1.0","at":"2026-01-31T12:00:00.000Z","files":1,"bytes":3,' +
      '"from":{"fonds.db":"/var/lib/fonds/fonds.db","index":"/var/lib/fonds/index","drop":"/var/lib/fonds/drop"},' +
      '"elsewhere":["the objects are in /var/lib/fonds/storage: copy them behind this backup"],' +
      '"settings":{"home":"/var/lib/fonds","port":4080},"log":"0197a3c4-0000-7000-8000-000000000001","position":"1041"}\n'
    const sum = (text: string) => createHash('sha256').update(text).digest('hex')
    writeFileSync(join(folder, 'fonds.db'), 'log')
    writeFileSync(join(folder, 'backup.json'), about)
    writeFileSync(join(folder, 'SHA256SUMS'), `${sum(about)}  backup.json\n${sum('log')}  fonds.db\n`)
    const { signal } = new AbortController()
    const verified = await verifyBackup(folder, { signal, onTotal: () => {}, onBytes: () => {} })
    expect(verified).toMatchObject({ faults: [], about: { at, files: 1, position: '1041' } })
  })

  it('the note of the last backup', async () => {
    mkdirSync(join(fonds.home, 'backups'), { recursive: true })
    writeFileSync(
      join(fonds.home, 'backups/last.json'),
      `{"at":"${at}","folder":"/backup/1","position":"1041"}\n`,
    )
    expect(await lastBackup(fonds.home)).toEqual({ at, folder: '/backup/1', position: '1041' })
  })
})

describe('the last backup', () => {
  it('is known after each, and not before there is one', async () => {
    expect(await lastBackup(fonds.home)).toBeUndefined()
    await registerStore()
    const folder = join(fonds.folder, 'copies/one')
    expect((await fonds.run(['backup', folder])).code).toBe(0)
    expect(await lastBackup(fonds.home)).toMatchObject({ folder, position: expect.any(String) })
    expect(readdirSync(join(fonds.home, 'backups'))).toEqual(['last.json'])
    const { rows } = await fonds.run(['doctor'])
    expect(rows).toContainEqual(
      expect.objectContaining({ check: 'backup', status: 'ok', says: expect.stringContaining(folder) }),
    )
  })

  it('stays the one that it was where another fails', async () => {
    await noteLast(fonds.home, { at, folder: '/backup/1' })
    mkdirSync(join(fonds.folder, 'full'))
    writeFileSync(join(fonds.folder, 'full/a'), '')
    expect((await fonds.run(['backup', join(fonds.folder, 'full')])).code).toBe(1)
    expect(await lastBackup(fonds.home)).toEqual({ at, folder: '/backup/1' })
  })
})

describe('a backup that was killed', () => {
  it('is named by doctor, and what it left is removed by the next one, wherever that goes', async () => {
    await registerStore()
    const note = await killed('one')
    const { rows } = await fonds.run(['doctor'])
    expect(rows).toContainEqual(
      expect.objectContaining({
        status: 'warn',
        says: `the backup of ${at} was killed, and left ${partialOf('one')}`,
      }),
    )
    const { code, err } = await fonds.run(['backup', join(fonds.folder, 'elsewhere/two')])
    expect([code, err]).toEqual([0, expect.stringContaining(`removed what the backup of ${at} left behind`)])
    expect([existsSync(partialOf('one')), existsSync(note)]).toEqual([false, false])
  })

  it('is left alone while it may be under way: its process runs, or is on another machine and was heard today', async () => {
    await killed('running', { pid: process.pid })
    const far = await killed('far', { machine: 'another' })
    expect((await unendedBackups(fonds.home)).map(({ isAbandoned }) => isAbandoned)).toEqual([false, false])
    const old = new Date(Date.now() - 25 * 3600 * 1000)
    utimesSync(far, old, old)
    const abandoned = (await unendedBackups(fonds.home)).filter(({ isAbandoned }) => isAbandoned)
    expect(abandoned.map(({ partial }) => partial)).toEqual([partialOf('far')])
  })
})
