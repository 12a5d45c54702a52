import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestViews } from '../../fakes/views.ts'
import { balancesOf, totalOf } from './accounts.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-processes-'))
  file = join(folder, 'views.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const count = 1500
const script = new URL('./folding-process.ts', import.meta.url).pathname

type Folder = ChildProcessByStdio<Writable, Readable, null>

/** A process that is ready to fold, and does once told to. */
const ready = async (): Promise<Folder> => {
  const child = spawn(process.execPath, [script, file, String(count)], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

const go = (child: Folder): void => {
  child.stdin.write('go')
  child.stdout.resume()
}

/** Resolves with the exit code; null when it was killed. */
const ended = async (child: Folder): Promise<unknown> => (await once(child, 'close'))[0]

const expectEachOnce = () => {
  const views = openTestViews(file)
  expect(totalOf(views)).toMatchObject({ events: count, amount: count })
  expect(balancesOf(views)).toEqual({ 0: count / 3, 1: count / 3, 2: count / 3 })
  expect(views.generations()).toMatchObject([{ status: 'live', checkpoint: { position: BigInt(count - 1) } }])
  views.close()
}

describe('processes that fold into one file', () => {
  it('three at once: each event counts once', async () => {
    const children = await Promise.all([ready(), ready(), ready()])
    const codes = children.map(ended)
    children.forEach(go)
    expect(await Promise.all(codes)).toEqual([0, 0, 0])
    expectEachOnce()
  })
  it('one is killed in the middle of its work: the next goes on, each event counts once', async () => {
    const victim = await ready()
    const death = ended(victim)
    victim.stdout.once('data', () => victim.kill('SIGKILL'))
    go(victim)
    expect(await death).toBeNull()
    const views = openTestViews(file)
    const before = Number(totalOf(views)?.events)
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(count)
    views.close()
    const next = await ready()
    const end = ended(next)
    go(next)
    expect(await end).toBe(0)
    expectEachOnce()
  })
})
