import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { startServer, until, useFolder } from '../run-fonds.ts'
import { ask } from '../run-here.ts'
import { submitFile } from './submitting.ts'

/* A work volume that fills (ingest X10): a small file system of its own. */

const megabyte = 1024 ** 2

/** undefined: this machine lets us mount none. */
const mountDisk = (folder: string): string | undefined => {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', disk], { stdio: 'pipe' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['-l', disk]))
  return disk
}

it('a job that the work volume has no room for waits, smaller ones behind it pass, and none fails', async (test) => {
  const { folder, home, root } = useFolder()
  const disk = mountDisk(folder)
  if (disk === undefined) return test.skip('no file system can be mounted here: only root may')
  const filler = join(disk, 'filler')
  // Of 32 MiB 80 % may be used: little more than 5 are left.
  writeFileSync(filler, Buffer.alloc(20 * megabyte))
  const env = { FONDS_INGEST_WORK: join(disk, 'work'), FONDS_INGEST_FOLDERS: root }
  const { address } = await startServer({ home, env })
  const submit = (name: string, megabytes: number) => {
    const path = join(root, name)
    writeFileSync(path, Buffer.alloc(megabytes * megabyte, name))
    return submitFile(address, { url: pathToFileURL(path).href })
  }
  const statesOf = async (): Promise<ReadonlyMap<string, string>> => {
    const jobs = await ask(['query', 'ingest-jobs', '--columns', 'batch,state'], { home })
    return new Map(jobs.map(({ batch, state }) => [batch, state]))
  }

  const large = await submit('large.bin', 10)
  await until('the large one waits for room', async () => (await statesOf()).get(large) === 'provisioning')
  const small = await Promise.all([1, 2, 3].map((n) => submit(`small-${n}.bin`, 1)))
  const states = await until('the small ones have passed', async () => {
    const states = await statesOf()
    return small.every((batch) => states.get(batch) === 'completed') && states
  })
  expect(states.get(large)).toBe('provisioning')

  rmSync(filler)
  await until('the large one has passed too', async () => (await statesOf()).get(large) === 'completed')
  const moves = await ask(['events', '--type', 'JobMoved'], { home })
  expect(moves.filter(({ data }) => data.to === 'failed')).toEqual([])
})
