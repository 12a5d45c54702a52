import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds()
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const node = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))
const children = new Set<ChildProcess>()

/** The command as a process of its own, as a shell starts it. */
const start = (...argv: string[]) => {
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', main, ...argv], {
    env: { ...process.env, FONDS_HOME: fonds.home },
    stdio: 'pipe',
  })
  children.add(child)
  return child
}
const exitOf = async (child: ChildProcess) =>
  child.exitCode === null ? (await once(child, 'exit'))[0] : child.exitCode

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})

const record = (...all: string[]) => fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(...all) })

describe('a process', () => {
  test('does the work, and beside another one', async () => {
    await record(recorded('a'))
    const child = start('query', 'fixity-items', '--columns', 'path')
    child.stdin.end()
    expect(await text(child.stdout)).toBe('{"path":"a"}\n')
    expect(await exitOf(child)).toBe(0)
  })

  test('events --follow shows what another process writes, and Ctrl-C ends it well', async () => {
    await record(recorded('a'))
    const child = start('events', '--follow')
    const seen = createInterface(child.stdout)[Symbol.asyncIterator]()
    expect(JSON.parse((await seen.next()).value as string)).toMatchObject({ stream: 'fixity-main/a' })
    await record(recorded('b'))
    expect(JSON.parse((await seen.next()).value as string)).toMatchObject({ stream: 'fixity-main/b' })
    child.kill('SIGINT')
    expect(await exitOf(child)).toBe(0)
  })

  test('a reader that leaves is no error', async () => {
    await record(...Array.from({ length: 2000 }, (_, i) => recorded(`f${i}`)))
    const child = start('events')
    const said = text(child.stderr)
    await once(child.stdout, 'data')
    child.stdout.destroy()
    expect(await exitOf(child)).toBe(0)
    expect(await said).toBe('')
  })

  test('worker works until SIGTERM, then ends well', async () => {
    const child = start('worker', 'fixity')
    const said = createInterface(child.stderr)[Symbol.asyncIterator]()
    expect((await said.next()).value).toMatch(/^fixity@.* is at work; Ctrl-C stops it$/)
    child.kill('SIGTERM')
    expect((await said.next()).value).toMatch(/has stopped$/)
    expect(await exitOf(child)).toBe(0)
  })

  test('produce that is interrupted keeps what it accepted, and says how to go on', async () => {
    const child = start('produce', contentTopic, '-')
    const out = text(child.stdout)
    const said = text(child.stderr)
    // A whole batch, then half a line, and an open end.
    child.stdin.write(lines(...Array.from({ length: 500 }, (_, i) => recorded(`f${i}`))))
    child.stdin.write('{"type":"content.re')
    await sentTo(contentTopic)
    child.kill('SIGINT')
    expect(await exitOf(child)).toBe(1)
    expect(JSON.parse(await out)).toMatchObject({ accepted: 500, refused: 0 })
    expect(await said).toContain('--batch')
  })
})

const sentTo = async (topic: string): Promise<void> => {
  for (;;) {
    const { rows } = await fonds.run(['topics'])
    if (rows.some((row) => row.topic === topic && row.records === '500')) return
  }
}

describe('worker', () => {
  test('without a kind lists them', async () => {
    const { code, rows } = await fonds.run(['worker'])
    expect(code).toBe(0)
    expect(rows).toMatchObject(
      ['fixity', 'poller', 'indexer', 'aggregator', 'ingest', 'drops', 'researcher'].map((kind) => ({
        kind,
      })),
    )
  })

  test('of an unknown kind', async () => {
    const { code, err } = await fonds.run(['worker', 'fixty'])
    expect(code).toBe(1)
    expect(err).toContain('did you mean fixity?')
  })
})
