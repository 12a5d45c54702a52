import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { outputTo } from '../../../src/cli/output/output.ts'
import { rememberingStream } from './streams.ts'

it('knows a terminal from a pipe', () => {
  const terminal = rememberingStream({ columns: 70 })
  const found = outputTo(terminal, {})
  expect([found.isTTY, found.width(), found.colour]).toEqual([true, 70, true])
  expect(outputTo(terminal, { NO_COLOR: '1' }).colour).toBe(false)
  expect(outputTo(terminal, { TERM: 'dumb' }).colour).toBe(false)
  const pipe = outputTo(rememberingStream())
  expect([pipe.isTTY, pipe.width(), pipe.colour]).toEqual([false, undefined, false])
})

it('waits for a slow reader', async () => {
  const waiting: (() => void)[] = []
  const stream = new Writable({ write: (_, __, done) => void waiting.push(done) })
  let resolved = false
  const write = outputTo(stream)
    .write('text')
    .then(() => {
      resolved = true
    })
  await new Promise(setImmediate)
  expect(resolved).toBe(false)
  waiting[0]?.()
  await write
  expect(resolved).toBe(true)
})

it('a disk that is full is an error', async () => {
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  const output = outputTo(new Writable({ write: (_, __, done) => done(full) }))
  await expect(output.write('text')).rejects.toThrow('no space left')
  expect(output.closed.aborted).toBe(false)
})

it('a reader that goes away ends it quietly', async () => {
  const script = `
    import { outputTo } from './src/cli/output/output.ts'
    import { writeRows } from './src/cli/output/format.ts'
    function* endless() { for (let n = 0; ; n++) yield [{ n, text: 'x'.repeat(1000) }] }
    await writeRows(outputTo(process.stdout), endless())
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: process.cwd() })
  const errors = text(child.stderr)
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [code, signal] = await once(child, 'exit')
  expect({ code, signal, errors: await errors }).toEqual({ code: 0, signal: null, errors: '' })
})
