import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openProcessLock } from '#infra/sqlite/process-lock.ts'
import type { LockMark } from '#src/domain/kernel/leader-lease.ts'
import { launch, type Started } from '../../e2e/run-fonds.ts'

/* Real processes: what an operating system frees when one ends shows nowhere else. */

const bootId = 'e9b1c2f4-0000-4000-8000-000000000001'
const module = join(import.meta.dirname, '../../../infra/sqlite/process-lock.ts')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-locks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})
const here = (options: Parameters<typeof openProcessLock>[1] = { bootId }) => {
  const lock = openProcessLock(folder, options)
  onTestFinished(lock.release)
  return lock
}

/** Another process that has a lock. */
const another = async (): Promise<Started & { readonly mark: LockMark }> => {
  const text = `
    import { openProcessLock } from ${JSON.stringify(module)}
    const lock = openProcessLock(${JSON.stringify(folder)}, { bootId: '${bootId}' })
    console.log(JSON.stringify(lock.mark()))
    console.error('locked')
    // Kept for as long as the process lives: what nobody refers to is collected, and its lock with it.
    setInterval(() => lock.mark(), 1000)`
  const started = launch(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
    text,
  ])
  await started.says('locked')
  return { ...started, mark: JSON.parse(started.stdout()) as LockMark }
}
const killed = async (): Promise<LockMark> => {
  const { child, exit, mark } = await another()
  child.kill('SIGKILL')
  await exit
  return mark
}

describe('a process that was killed', () => {
  it('has ended for certain, and its file shows it to all who come', async () => {
    const mark = await killed()
    expect(existsSync(mark.file)).toBe(true)
    expect([here().hasEnded(mark), here().hasEnded(mark)]).toEqual([true, true])
  })

  it('is not known to have ended on a machine of the same name: it was booted another time', async () => {
    const mark = await killed()
    expect(here({ bootId: 'e9b1c2f4-0000-4000-8000-000000000002' }).hasEnded(mark)).toBe(false)
    expect(here({}).hasEnded(mark)).toBe(false)
  })

  it('is not known to have ended where its file is missing, which is not made by looking', async () => {
    const mark = await killed()
    rmSync(mark.file)
    expect(here().hasEnded(mark)).toBe(false)
    expect(existsSync(mark.file)).toBe(false)
  })

  it('is not known to have ended where another file stands in the place of its own', async () => {
    const mark = await killed()
    cpSync(mark.file, `${mark.file}.copy`)
    renameSync(`${mark.file}.copy`, mark.file)
    expect(here().hasEnded(mark)).toBe(false)
    expect(here().hasEnded({ ...mark, device: '0' })).toBe(false)
  })
})

describe('a process that lives', () => {
  it('has not ended, at work or stopped, however often somebody looks', async () => {
    const { child, mark } = await another()
    const look = () => [here().hasEnded(mark), here().hasEnded(mark), here().hasEnded(mark)]
    expect(look()).toEqual([false, false, false])
    child.kill('SIGSTOP')
    expect(look()).toEqual([false, false, false])
    child.kill('SIGCONT')
  })

  it('has one lock, which goes with its file when it is given back', () => {
    const [one, other] = [here(), here()]
    const mark = one.mark()!
    expect(one.mark()).toBe(mark)
    expect(other.hasEnded(mark)).toBe(false)
    one.release()
    expect(readdirSync(folder)).toEqual([])
    expect(other.hasEnded(mark)).toBe(false)
  })

  it('has none on a machine that does not name its boots, or where no folder can be made', () => {
    expect(here({}).mark()).toBeUndefined()
    expect(openProcessLock('/proc/no-such', { bootId }).mark()).toBeUndefined()
  })
})

it('files of processes that were killed go, but for those that somebody names; those of the living stay', async () => {
  const [gone, named] = [await killed(), await killed()]
  const living = await another()
  const own = here()
  const mark = own.mark()!
  own.tidy([named])
  expect(existsSync(gone.file)).toBe(false)
  for (const { file } of [named, living.mark, mark]) expect(existsSync(file)).toBe(true)
  expect(here().hasEnded(living.mark)).toBe(false)
  expect(here().hasEnded(named)).toBe(true)
})
