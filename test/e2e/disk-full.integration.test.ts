import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ask, type Line, linesOf, run, startServer, stop, until, useFolder } from './run-fonds.ts'

/* A disk that fills up, as a small file system of its own; only root may make one. */

const megabyte = 1024 * 1024

const smallDisk = (folder: string): string => {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', disk])
  onTestFinished(() => void execFileSync('umount', ['-l', disk]))
  return disk
}

const message = (path: string) => ({
  type: 'content.recorded',
  data: {
    store: 'main',
    path,
    recordedFrom: 'x'.repeat(20_000),
    checksums: [{ algorithm: 'md5', value: 'a'.repeat(32) }],
  },
})

it.runIf(process.getuid?.() === 0)(
  'a full disk is said to be one; nothing that was acknowledged is lost, and work goes on by itself once there is room',
  async () => {
    const { folder } = useFolder()
    const disk = smallDisk(folder)
    const home = join(disk, 'home')
    const server = await startServer({ home }, ['--roles', 'processors,reactions,projections,api'])
    const put = async (path: string) => {
      const response = await fetch(`${server.address}/api/v1/topics/fonds.fixity.content/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: JSON.stringify(message(path)),
      })
      const body = (await response.json()) as Line
      return { status: response.status, detail: String(body.detail) }
    }
    expect((await put('before')).status).toBe(202)

    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize - 3 * megabyte))
    const acknowledged = ['before']
    const refused = await until('the disk is full', async () => {
      const path = `item ${acknowledged.length}`
      const answer = await put(path)
      if (answer.status !== 202) return answer
      acknowledged.push(path)
      return undefined
    })
    expect(refused.status).toBe(503)
    expect(refused.detail).toContain('the disk is full')
    const readiness = async () => {
      const response = await fetch(`${server.address}/readyz`)
      return { status: response.status, text: await response.text() }
    }
    expect(await readiness()).toMatchObject({
      status: 503,
      text: expect.stringMatching(
        new RegExp(`takes no writes: the disk is full: \\d+ bytes are free where ${home}`),
      ),
    })
    const doctor = await run(['doctor'], { home })
    expect(doctor.code).toBe(1)
    const findings = linesOf(doctor)
    expect(findings.find(({ check }) => check === 'disk')).toMatchObject({
      status: 'fail',
      says: expect.stringMatching(new RegExp(` free on the disk at ${disk}, where ${home} is$`)),
    })
    // It has looked at everything, and writes nothing.
    expect(findings.map(({ check }) => check)).toContain('http')
    const stdin = `${JSON.stringify(message('from the command line'))}\n`
    const told = await run(['produce', 'fonds.fixity.content'], { home, stdin })
    expect(told.code).toBe(3)
    expect(told.stderr).toContain('full')

    expect((await readiness()).status).toBe(503)
    rmSync(join(disk, 'filler'))
    await until(
      'it is ready by itself, without a write from outside',
      async () => (await readiness()).status === 200,
      120,
    )
    await until('there is room', async () => (await put('after')).status === 202)
    const rows = await until('all that was acknowledged is in the view', async () => {
      const response = await fetch(`${server.address}/api/v1/views/fixity-items?limit=1000`)
      const { rows } = (await response.json()) as Line
      return rows?.length === acknowledged.length + 1 && rows
    })
    expect(rows.map(({ path }: Line) => path).toSorted()).toEqual([...acknowledged, 'after'].toSorted())
    expect(await stop(server)).toBe(0)
    const verdicts = await ask(['rebuild', '--all', '--verify'], { home })
    expect(verdicts.every(({ verdict }) => verdict === 'equal')).toBe(true)
  },
)

it.runIf(process.getuid?.() === 0)(
  'the doctor names the disk where not a byte is left and nothing runs',
  async () => {
    const { folder } = useFolder()
    const disk = smallDisk(folder)
    const home = join(disk, 'home')
    await ask(
      ['do', 'fixity.register-store', 'store=main', 'kind=external', '--actor', 'me', '--reason', 'test'],
      { home },
    )
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize))
    const doctor = await run(['doctor'], { home })
    expect(doctor.code).toBe(1)
    const findings = linesOf(doctor)
    expect(findings.find(({ check }) => check === 'disk')).toMatchObject({
      status: 'fail',
      says: `0 B free on the disk at ${disk}, where ${home} is`,
      todo: expect.stringContaining('make room'),
    })
    expect(findings.filter(({ check }) => check === 'integrity')).toMatchObject([
      { status: 'ok', says: expect.stringContaining('fonds.db is sound') },
      { status: 'ok', says: expect.stringContaining('views.db is sound') },
    ])
    expect(findings.find(({ check }) => check === 'system')?.says).toContain(
      'the disk is full: 0 bytes are free',
    )
    expect(findings.some(({ todo }) => /put a backup|delete the file/.test(todo))).toBe(false)
  },
)
