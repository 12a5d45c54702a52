import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { limits } from '../patience.ts'
import { writeContent } from './archive.ts'
import { addsUp, linesOf, start, until, useFolder } from './run-fonds.ts'
import { ask, run } from './run-here.ts'

/* Content that cannot be read, or not twice the same: it ends in a word for a person, and keeps nothing else waiting. */

it('links, pipes and what lies outside the store are told of and never read', limits, async () => {
  const { folder, home, root } = useFolder()
  const secret = 'not of this store'
  writeFileSync(join(folder, 'secret.txt'), secret)
  writeContent(root, 'kept.txt', 'kept')
  symlinkSync(join(folder, 'secret.txt'), join(root, 'outside'))
  symlinkSync('nowhere', join(root, 'dangling'))
  execFileSync('mkfifo', [join(root, 'pipe')])

  const [added] = await ask(['fixity', 'add', root, '--store', 'main'], { home })
  expect(added.baseline).toBe(1)
  expect(added.notes).toEqual([
    { path: 'dangling', note: expect.stringContaining('symbolic link') },
    { path: 'outside', note: expect.stringContaining('symbolic link') },
    { path: 'pipe', note: expect.stringContaining('pipe') },
  ])
  expect(await ask(['query', 'fixity-items', '--columns', 'path'], { home })).toEqual([{ path: 'kept.txt' }])
  const log = await run(['events'], { home })
  expect(log.stdout).not.toContain(createHash('sha256').update(secret).digest('hex'))
})

it(
  'what stands where a file stood ends in a failure or waits for a person, and the rest is verified',
  limits,
  async () => {
    const { folder, home, root } = useFolder()
    writeFileSync(join(folder, 'secret.txt'), 'secret')
    for (const name of ['folder', 'dangling', 'pipe', 'outside', 'gone', 'kept'])
      writeContent(root, `${name}.txt`, name)
    await ask(['fixity', 'add', root, '--store', 'main'], { home })
    for (const name of ['folder', 'dangling', 'pipe', 'outside', 'gone']) rmSync(join(root, `${name}.txt`))
    mkdirSync(join(root, 'folder.txt'))
    symlinkSync('nowhere', join(root, 'dangling.txt'))
    execFileSync('mkfifo', [join(root, 'pipe.txt')])
    symlinkSync(join(folder, 'secret.txt'), join(root, 'outside.txt'))

    const checked = await run(['fixity', 'check'], { home })
    expect(checked.code).toBe(1)
    expect(linesOf(checked)).toMatchObject([{ total: 6, baselined: 1, failed: 2, parked: 3, waiting: 0 }])
    const rows = await ask(['query', 'fixity-items', '--columns', 'path,state,parked,because'], { home })
    const parked = (path: string, because: string) => ({
      path,
      state: 'parked',
      parked: 1,
      because: expect.stringContaining(because),
    })
    const gone = { state: 'failed', parked: 0, because: expect.stringContaining('gone') }
    expect(rows).toEqual([
      { path: 'dangling.txt', ...gone },
      parked('folder.txt', 'is a folder'),
      { path: 'gone.txt', ...gone },
      { path: 'kept.txt', state: 'baselined', parked: 0, because: expect.any(String) },
      parked('outside.txt', "leads out of the store's root"),
      parked('pipe.txt', 'named pipe'),
    ])
    const report = await ask(['fixity', 'report'], { home })
    expect(report.every(addsUp)).toBe(true)
    expect(report.at(-1)).toMatchObject({ expected: 6, baselined: 1, failed: 2, parked: 3 })

    // Three failures park an item; a person puts the cause right and revives it.
    rmSync(join(root, 'folder.txt'), { recursive: true })
    writeContent(root, 'folder.txt', 'folder')
    const revive = ['do', 'fixity.revive', 'store=main', 'path=folder.txt']
    expect((await run(revive, { home })).code).toBe(2)
    await ask([...revive, '--actor', 'r.vermeer', '--reason', 'the folder was moved away'], { home })
    expect(linesOf(await run(['fixity', 'check'], { home }))).toMatchObject([
      { total: 6, baselined: 2, parked: 2 },
    ])
    const again = await run([...revive, '--actor', 'r.vermeer', '--reason', 'again'], { home })
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('not parked')
  },
)

/** Large enough that it is still being read, slowly, when something happens to it. */
const large = Buffer.alloc(3_000_000, 'x')
const slowly = ['--bytes-per-second', '1000000']

it(
  'fixity F8: a file that vanishes while it is read is looked at again, and found missing',
  limits,
  async () => {
    const { home, root } = useFolder()
    writeContent(root, 'large.bin', large)
    writeContent(root, 'small.txt', 'small')
    await ask(['fixity', 'add', root, '--store', 'main'], { home })
    // For ten seconds: a busy machine takes some to see that it is.
    const checking = start(['fixity', 'check', '--bytes-per-second', '300000'], { home })
    await until('it is being read', () => isClaimed(home, 'large.bin'))
    rmSync(join(root, 'large.bin'))
    expect(await checking.exit).toBe(1)
    expect(linesOf({ stdout: checking.stdout() })).toMatchObject([{ total: 2, baselined: 1, failed: 1 }])
    expect(await ask(['query', 'fixity-items', '--where', 'path=large.bin'], { home })).toMatchObject([
      { state: 'failed', row: 'F8' },
    ])
  },
)

it(
  'a file that never holds still while it is read uses up no attempt, and is verified once it does',
  limits,
  async () => {
    const { home, root } = useFolder()
    writeContent(root, 'busy.bin', large.subarray(0, 500_000))
    await ask(['fixity', 'add', root, '--store', 'main'], { home })
    const touching = setInterval(() => utimesSync(join(root, 'busy.bin'), new Date(), new Date()), 20)
    onTestFinished(() => clearInterval(touching))
    const checking = start(['fixity', 'check', ...slowly], { home })
    const decisions = () => ask(['events', '--type', 'FixityDecided'], { home })
    await until('it is put off', async () => (await decisions()).length > 0)
    clearInterval(touching)

    expect(await checking.exit, checking.stderr()).toBe(0)
    const said = (await decisions()).map(({ data: { row, outcome, attempt } }) => ({ row, outcome, attempt }))
    expect(said[0]).toEqual({ row: 'changing', outcome: 'deferred', attempt: 'first' })
    expect(said.at(-1)).toMatchObject({ outcome: 'success', attempt: 'first' })
  },
)

const isClaimed = async (home: string, path: string): Promise<boolean> =>
  (await ask(['query', 'fixity-claims', '--where', `path=${path}`], { home })).length > 0 ||
  (await ask(['query', 'fixity-batches'], { home })).some(({ paths }) => paths.includes(path))
