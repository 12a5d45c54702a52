import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import openRunWriter from '#infra/capture-index/run-writer.ts'
import { MachineFailure, machineFailure } from '#src/async/machine-failure.ts'
import { endedBefore } from '#src/workers/indexing/job-tools.ts'
import { indexFile } from '#src/workers/indexing/threads/index-file.ts'
import { useFaultyFs, writingCalls } from '../../fakes/faulty-fs.ts'
import { warc } from './archive.ts'
import { temporaryFolder } from './temporary-folder.ts'

const world = () => {
  const folder = temporaryFolder()
  const [path, runs] = [join(folder, 'a.warc'), join(folder, 'runs')]
  writeFileSync(path, warc('http://example.org/'))
  mkdirSync(runs)
  const index = () =>
    indexFile(
      { kind: 'index', file: path, name: 'a.warc', fileKind: 'content', runs, format: 'cdx-11' },
      openRunWriter,
      async () => {},
      () => {},
    )
  return { path, runs, index }
}

describe('a file that the machine keeps from being indexed', () => {
  it.each(['ENOSPC', 'EIO', 'EROFS', 'EDQUOT'])(
    'is not broken: %s at each call that writes its run',
    async (code) => {
      const { runs, index } = world()
      const disk = useFaultyFs()
      expect(await index()).toMatchObject({ status: 'written' })
      const calls = disk
        .made()
        .filter(({ call, path }) => writingCalls.includes(call) && path?.startsWith(runs))
      expect(calls.length).toBeGreaterThan(2)
      for (let nth = 1; nth <= calls.length; nth++) {
        const fault = disk.set({ path: runs, calls: writingCalls, nth, code })
        const error: unknown = await index().then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
        expect(machineFailure(error, [runs])).toBeInstanceOf(MachineFailure)
        expect(fault.hits()).toBeGreaterThan(0)
        fault.clear()
      }
      const runsOnDisk = readdirSync(runs).filter((name) => name.startsWith('r-'))
      expect(await index()).toMatchObject({ status: 'written' })
      expect(runsOnDisk.length).toBeLessThanOrEqual(calls.length + 1)
    },
  )

  it('is not unreadable where no more files can be opened, and is where its own disk gives no bytes', async () => {
    const { path, index } = world()
    const disk = useFaultyFs()
    const open = disk.set({ path, calls: ['open'], code: 'EMFILE' })
    await expect(index()).rejects.toBeInstanceOf(MachineFailure)
    open.clear()
    disk.set({ path, calls: ['read'], code: 'EIO' })
    expect(await index()).toMatchObject({ status: 'unreadable', failure: { code: 'unreadable' } })
  })

  it('says so across threads', () => {
    expect(endedBefore({ status: 'machine', reason: 'the disk is full' })).toBeInstanceOf(MachineFailure)
    expect(endedBefore({ status: 'broken', reason: 'the thread died' })).not.toBeInstanceOf(MachineFailure)
  })
})
