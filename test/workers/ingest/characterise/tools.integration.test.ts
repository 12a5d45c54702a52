import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { createHttpClient } from '#src/workers/http/http-client.ts'
import { commandTool } from '#src/workers/ingest/characterise/command.ts'
import { serviceTool } from '#src/workers/ingest/characterise/service.ts'
import { isTool, wordsOf } from '#src/workers/ingest/characterise/words.ts'
import { testServer, until } from '../../../workflows/ingest/ingest-world.ts'

const minute = 60_000
const hold = { signal: new AbortController().signal, progress: () => {} }

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'fonds-tool-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A command that runs a script of ours. */
const script = (text: string): { readonly line: string; readonly folder: string } => {
  const path = folder()
  writeFileSync(join(path, 'a tool.mjs'), text)
  return { line: `"${process.execPath}" "${join(path, 'a tool.mjs')}"`, folder: path }
}
const refusalOf = (asked: Promise<string>): Promise<string> =>
  asked.then(
    (said) => `said ${said}`,
    (error: unknown) => (error as Error).message,
  )

describe('the words of a command', () => {
  it.each<readonly [string, readonly string[] | undefined]>([
    ['file --mime-type -b', ['file', '--mime-type', '-b']],
    ['  sf\t-json ', ['sf', '-json']],
    [`"/opt/a b/sf" -sig 'my "own".sig' ""`, ['/opt/a b/sf', '-sig', 'my "own".sig', '']],
    ['sf "-json', undefined],
    ['sf"x"', undefined],
    ['', undefined],
  ])('%j', (line, words) => expect(wordsOf(line)).toEqual(words))

  it('or an address are a tool', () => {
    const of = ['sf -json', 'http://127.0.0.1:9998/meta', 'http://h/identify/{path}?format=json']
    expect(of.filter(isTool)).toEqual(of)
    expect(['http://', 'https://me:secret@h/meta', "sf '"].filter(isTool)).toEqual([])
  })
})

describe('a command', () => {
  it('gets the path last, or where it wants it, and no shell reads it', async () => {
    const { line } = script('process.stdout.write(JSON.stringify(process.argv.slice(2)))')
    const path = "/w/$(touch x); `y` 'z' && a b"
    expect(JSON.parse(await commandTool(`${line} -x`, minute).ask(path, hold))).toEqual(['-x', path])
    const marked = commandTool(`${line} --in={path} -o`, minute)
    expect(JSON.parse(await marked.ask(path, hold))).toEqual([`--in=${path}`, '-o'])
  })

  it('is not told our settings, which hold passwords', async () => {
    const { line } = script(
      'console.log(Object.keys(process.env).filter((n) => n.startsWith("FONDS_")).length)',
    )
    process.env.FONDS_TOKEN = 'secret'
    onTestFinished(() => {
      delete process.env.FONDS_TOKEN
    })
    expect(await commandTool(line, minute).ask('/w/a', hold)).toBe('0\n')
  })

  it.each<readonly [string, string, RegExp]>([
    ['that fails', 'console.error("no signatures"); process.exit(3)', /^ended with 3: no signatures$/],
    [
      'that is killed',
      'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1e6)',
      /^was ended by SIGTERM/,
    ],
    [
      'that says too much',
      'process.stdout.write("x".repeat(2 ** 21))',
      /^says more than 1048576 bytes of it$/,
    ],
    [
      'that never stops',
      'const more = () => process.stdout.write("x".repeat(2 ** 16), more); more()',
      /^says more than 1048576 bytes/,
    ],
  ])('%s gives no answer', async (_, text, says) => {
    expect(await refusalOf(commandTool(script(text).line, minute).ask('/w/a', hold))).toMatch(says)
  })

  it.each([
    ['nothing-of-that-name -x', /^is not there; install it/],
    ['/etc/passwd', /^may not be run by this user$/],
  ])('%s is not run', async (line, says) => {
    expect(await refusalOf(commandTool(line, minute).ask('/w/a', hold))).toMatch(says)
  })

  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  /** Starts another one, writes both ids, and hangs. */
  const hanging = `import { spawn } from 'node:child_process'
    import { renameSync, writeFileSync } from 'node:fs'
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'inherit' })
    writeFileSync(process.argv[2] + '.new', process.pid + ' ' + child.pid)
    renameSync(process.argv[2] + '.new', process.argv[2])
    setInterval(() => {}, 1e6)`

  it.each(['hangs', 'loses its job'])('that %s is stopped, with what it started', async (why) => {
    const { line, folder: place } = script(hanging)
    const claim = new AbortController()
    const ids = join(place, 'ids')
    const asked = commandTool(line, why === 'hangs' ? 3000 : minute).ask(ids, {
      ...hold,
      signal: claim.signal,
    })
    const refused = refusalOf(asked)
    const pids = await until('it runs', () => {
      try {
        return readFileSync(ids, 'utf8').split(' ').map(Number)
      } catch {
        return undefined
      }
    })
    if (why !== 'hangs') claim.abort(new Error('the claim is lost'))
    expect(await refused).toBe(
      why === 'hangs' ? 'gave no answer in 3 s and was stopped' : 'the claim is lost',
    )
    await until('both are gone', () => (pids.some(isAlive) ? undefined : true))
  })
})

describe('a service', () => {
  const clients: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close()
  })
  const asking = (address: string, limitMillis = minute) => {
    const client = createHttpClient({ stallMillis: minute })
    clients.push(client)
    return serviceTool(address, client, limitMillis)
  }
  const file = (bytes: string | Uint8Array): string => {
    const path = join(folder(), 'a b.bin')
    writeFileSync(path, bytes)
    return path
  }

  it('is sent the bytes by PUT, with their length', async () => {
    const server = await testServer((asked, response) => void response.end(`{"length":${asked.body.length}}`))
    expect(await asking(`${server.address}/meta`).ask(file('x'.repeat(300_000)), hold)).toBe(
      '{"length":300000}',
    )
    expect(server.asked).toMatchObject([
      {
        method: 'PUT',
        url: '/meta',
        headers: { 'content-length': '300000', 'content-type': 'application/octet-stream' },
      },
    ])
    expect(await asking(server.address).ask(file(''), hold)).toBe('{"length":0}')
  })

  it('reads the file itself where its address has a place for the path', async () => {
    const server = await testServer((_, response) => void response.end('image/tiff'))
    const path = "/w/ü &?#%{path}'b.tif"
    expect(await asking(`${server.address}/identify/{path}?format=json`).ask(path, hold)).toBe('image/tiff')
    expect(server.asked).toMatchObject([
      { method: 'GET', url: `/identify/${encodeURIComponent(path)}?format=json` },
    ])
  })

  it('that starts anew is asked again', async () => {
    let asked = 0
    const server = await testServer((_, response) => {
      asked++
      if (asked === 1) return void response.destroy()
      response.writeHead(asked === 2 ? 503 : 200).end('image/tiff')
    })
    expect(await asking(server.address).ask(file('A'), hold)).toBe('image/tiff')
    expect(asked).toBe(3)
  })

  it.each<readonly [string, (response: ServerResponse) => unknown, RegExp]>([
    [
      'refuses',
      (response) => response.writeHead(422).end('<html><h1>Encrypted</h1> document</html>'),
      /^answered 422: Encrypted document$/,
    ],
    [
      'says too much',
      (response) => response.end('x'.repeat(2 ** 21)),
      /^says more than 1048576 bytes of it$/,
    ],
    ['leads elsewhere', (response) => response.writeHead(302, { location: '/x' }).end(), /^answered 302$/],
  ])('that %s gives no answer', async (_, answer, says) => {
    const server = await testServer((_, response) => void answer(response))
    expect(await refusalOf(asking(server.address).ask(file('A'), hold))).toMatch(says)
    expect(server.asked).toHaveLength(1)
  })

  it('that does not answer in time, or whose job is lost, is not waited for', async () => {
    const server = await testServer(() => {})
    expect(await refusalOf(asking(server.address, 300).ask(file('A'), hold))).toBe('gave no answer in 0.3 s')
    const claim = new AbortController()
    const refused = refusalOf(asking(server.address).ask(file('A'), { ...hold, signal: claim.signal }))
    await setTimeout(50)
    claim.abort(new Error('the claim is lost'))
    expect(await refused).toBe('the claim is lost')
  })

  it('that is not there is named so', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const gone = asking(`http://127.0.0.1:${port}/meta`)
    expect(await refusalOf(gone.ask(file('A'), hold))).toMatch(/takes no connections there/)
  })
})
