import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, onTestFinished } from 'vitest'
import { type Fault, type FsCallMade, useFaultyFs, writingCalls } from '../fakes/faulty-fs.ts'

/* Each call that writes fails, in turn, in each way that disks have. */

/** Something of ours that writes. */
export interface Writing {
  /** Rejects, or gives a Left, where the disk says no. May be done again, and then ends as if nothing had been. */
  act(): Promise<unknown>
  /** What others see. */
  seen(): Promise<unknown>
}

/** In an empty folder; what is to be there before is written here. */
export type Store = (folder: string) => Promise<Writing> | Writing

export type FaultKind = 'full' | 'read-only' | 'broken' | 'short'

/** Undefined: it cannot happen to this call. */
const faultOf = (
  kind: FaultKind,
  { call, name }: FsCallMade,
): Pick<Fault, 'code' | 'shortBytes' | 'times'> | undefined => {
  switch (kind) {
    case 'full':
      return { code: 'ENOSPC' }
    case 'read-only':
      return { code: 'EROFS' }
    case 'broken':
      return { code: 'EIO', times: 1 }
    case 'short':
      if (call !== 'write') return undefined
      // Node writes whole files in a loop: there a short write is one that fails behind it.
      return { shortBytes: 1, times: 1, ...(/File/.test(name) && { code: 'ENOSPC' }) }
  }
}

/**
 * What is written is counted once, then done as often as there are calls. Each time: a fault is told in words that name it, nobody
 * sees anything half-made, and once the disk is well again the same work ends as it does without a fault. Gives the calls.
 */
export const failEachCall = async (store: Store, kind: FaultKind): Promise<readonly FsCallMade[]> => {
  const disk = useFaultyFs()
  const well = await open(store)
  disk.forget()
  await failing(well.writing.act).then((failure) => expect(failure).toBeUndefined())
  const calls = disk
    .made()
    .filter((made) => writingCalls.includes(made.call) && made.path?.startsWith(well.folder))
  expect(calls.length).toBeGreaterThan(0)
  const expected = await well.writing.seen()

  for (const [i, call] of calls.entries()) {
    const fault = faultOf(kind, call)
    if (!fault) continue
    const { folder, writing } = await open(store)
    const before = await writing.seen()
    const set = disk.set({ path: folder, calls: writingCalls, nth: i + 1, ...fault })
    const failure = await failing(writing.act)
    set.clear()
    const where = `${kind} at call ${i + 1}, ${call.name} of ${call.path?.slice(well.folder.length)}`
    expect(set.hits(), where).toBeGreaterThan(0)
    if (failure !== undefined) expect(failure, where).toMatch(wordsOf(fault.code))
    const meanwhile = await writing.seen()
    expect(failure === undefined ? [expected] : [before, expected], where).toContainEqual(meanwhile)
    expect(await failing(writing.act), `again after ${where}`).toBeUndefined()
    expect(await writing.seen(), `again after ${where}`).toEqual(expected)
  }
  return calls
}

const open = async (store: Store) => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-faults-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return { folder, writing: await store(folder) }
}

/** What is said of why it failed; undefined where it did not. */
const failing = async (act: () => Promise<unknown>): Promise<string | undefined> => {
  try {
    const result = await act()
    return isEither(result) && isLeft(result) ? JSON.stringify(result.left) : undefined
  } catch (error) {
    return String(error)
  }
}

const isEither = (result: unknown): result is Parameters<typeof isLeft>[0] =>
  typeof result === 'object' && result !== null && '_tag' in result

/** The code, or what we say of it. */
const wordsOf = (code = 'ENOSPC'): RegExp => words[code]!

const words: Readonly<Record<string, RegExp>> = {
  ENOSPC: /ENOSPC|disk is full/,
  EROFS: /EROFS|read-only/,
  EIO: /EIO|cannot read or write|input\/output error/,
}
