import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { listen } from '#src/api/create-api.ts'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { submitted } from '../../ingest-submitted.ts'
import { dropped, formBytes, formType, type Part, send, sha256, url, who } from '../ingest-forms.ts'
import { startServer } from '../server.ts'

describe('a submission as a form', () => {
  it('with one file: its bytes lie in the drop area, with size and digest', async () => {
    const server = await startServer()
    const { status, body } = await send(server, [
      ...who,
      ['type', 'file'],
      ['creator', 'Ada Example'],
      ['localIdentifier', 'a; b;a'],
      ['dc.subject', 'letters'],
      ['title', ''],
      ['file', 'Dear Ada', 'brüder.txt'],
    ])
    expect(status).toBe(202)
    const files = [{ path: 'brüder.txt', size: 8, sha256: sha256('Dear Ada') }]
    expect(body).toEqual({ batch: body.batch, status: `/api/v1/ingest/batches/${body.batch}`, files })
    const [data] = await submitted(server.system)
    // Who has this home works on it.
    const site = readFileSync(join(server.system.config.home, 'site'), 'utf8').trim()
    expect(data).toEqual({
      batch: body.batch,
      profile: 'default',
      foreign: true,
      site,
      submitter: 'ada',
      mode: 'add',
      localIds: ['a', 'b'],
      description: { who: 'Ada Example', dublinCore: { subject: ['letters'] } },
      payload: {
        url: expect.stringMatching(/^file:\/\//),
        name: 'brüder.txt',
        size: 8,
        digest: { algorithm: 'sha256', value: sha256('Dear Ada') },
        type: 'file',
      },
    })
    const path = fileURLToPath(data!.payload.url)
    expect(path).toBe(join(server.system.config.home, 'drop', body.batch, 'brüder.txt'))
    expect(readFileSync(path, 'utf8')).toBe('Dear Ada')
  })

  it('with several files is a folder, or an object each where that is asked for', async () => {
    const server = await startServer()
    const files: readonly Part[] = [
      ['file', 'one', 'letters/1.txt'],
      ['file', 'two', 'letters/2.txt'],
      ['file', 'three', '3.txt'],
    ]
    const folder = await send(server, [...who, ...files])
    const each = await send(server, [...who, ...files, ['type', 'EachFile']])
    const bag = await send(server, [...who, ['file', 'BagIt-Version: 1.0', 'bagit.txt'], ...files])
    const messages = await submitted(server.system)
    expect(messages.map(({ payload }) => payload)).toEqual([
      { url: expect.stringMatching(`/drop/${folder.body.batch}/$`), type: 'folder' },
      { url: expect.stringMatching(`/drop/${each.body.batch}/$`), type: 'each-file' },
      { url: expect.stringMatching(`/drop/${bag.body.batch}/$`), type: 'bag' },
    ])
    expect(dropped(server.system)).toEqual(
      expect.arrayContaining([`${folder.body.batch}/letters/1.txt`, `${each.body.batch}/3.txt`]),
    )
    expect(folder.body.files.map(({ path }: { path: string }) => path)).toEqual([
      'letters/1.txt',
      'letters/2.txt',
      '3.txt',
    ])
  })

  it('with a url in place of files is what JSON is', async () => {
    const server = await startServer()
    const url = 'https://host.example/a.zip'
    const digest: readonly Part[] = [
      ['digestType', 'md5'],
      ['digestValue', 'd41d8cd98f00b204e9800998ecf8427e'],
    ]
    expect(await send(server, [...who, ['url', url], ['size', '12'], ...digest])).toMatchObject({
      status: 202,
    })
    expect((await submitted(server.system))[0]?.payload).toEqual({
      url,
      size: 12,
      digest: { algorithm: 'md5', value: 'd41d8cd98f00b204e9800998ecf8427e' },
    })
    expect(dropped(server.system)).toEqual(['.coming'])
  })

  it('has one batch for one key, whose files are those that came first', async () => {
    const server = await startServer({ roles: ['processors', 'reactions', 'projections'] })
    const key = { 'idempotency-key': 'k2' }
    const parts: readonly Part[] = [...who, ['file', 'x', 'a.txt'], ['file', 'y', 'b/c.txt']]
    const first = await send(server, parts, key)
    // On the topic, and perhaps not yet a batch.
    expect(await send(server, parts, key)).toMatchObject({ status: 202, body: first.body })
    await waitUntilIdle(server.system)
    expect(await send(server, parts, key)).toMatchObject({ status: 202, body: first.body })
    const others: readonly Part[] = [...who, ['file', 'z', 'a.txt'], ['file', 'y', 'b/c.txt']]
    expect(await send(server, others, key)).toMatchObject({
      status: 409,
      body: { code: 'another-submission', path: 'idempotency-key' },
    })
    expect(dropped(server.system).filter((path) => path.includes('/'))).toEqual([
      `${first.body.batch}/a.txt`,
      `${first.body.batch}/b`,
      `${first.body.batch}/b/c.txt`,
    ])
  })

  it('is refused where nothing more of it comes, and its connection ends', async () => {
    const { app, system } = await startServer({ settings: { stallSeconds: 1 } })
    const { port } = new URL(await listen(app, { host: '127.0.0.1', port: 0 }))
    const bytes = formBytes([...who, ['file', 'x'.repeat(1000), 'a.txt']])
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST ${url} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${formType}\r\ncontent-length: ${bytes.length}\r\n\r\n`,
    )
    socket.write(bytes.subarray(0, 500))
    const answer = await text(socket)
    expect(answer).toContain('HTTP/1.1 408')
    expect(answer).toContain('no data of the form arrived for 1 seconds; send it again')
    expect(dropped(system)).toEqual(['.coming'])
  })

  it('is taken in as it was sent, and its status says so', async () => {
    const server = await startServer({ roles: ['processors', 'reactions', 'projections', 'workers'] })
    const bytes = Buffer.alloc(300_000, 'letters')
    const { body } = await send(server, [...who, ['title', 'Letters'], ['file', bytes, 'deep/ü.bin']])
    await expect
      .poll(async () => (await server.get(body.status)).body)
      .toMatchObject({ batch: body.batch, state: 'completed', title: 'Letters', jobs: 1, completed: 1 })
    const files = await server.get('/api/v1/views/ingest-files?where=path^=producer/')
    expect(files.body.rows).toMatchObject([
      { path: 'producer/deep/ü.bin', size: 300_000, sha256: sha256(bytes) },
    ])
  })

  it('is gone when the request breaks off, and what a process left behind is gone after a day', async () => {
    const { app, system } = await startServer()
    const left = join(system.config.home, 'drop', '.coming', 'left')
    mkdirSync(left, { recursive: true })
    writeFileSync(join(left, 'a.txt'), 'half')
    const longAgo = new Date(Date.now() - 2 * 86_400_000)
    for (const path of [join(left, 'a.txt'), left]) utimesSync(path, longAgo, longAgo)

    const { port } = new URL(await listen(app, { host: '127.0.0.1', port: 0 }))
    const bytes = formBytes([...who, ['file', 'x'.repeat(100_000), 'a.txt']])
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST ${url} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${formType}\r\ncontent-length: ${bytes.length}\r\n\r\n`,
    )
    socket.write(bytes.subarray(0, 50_000))
    await expect.poll(() => dropped(system).some((path) => /^\.coming\/.{36}\/a.txt$/.test(path))).toBe(true)
    socket.destroy()
    await expect.poll(() => dropped(system)).toEqual(['.coming'])
    expect(await submitted(system)).toEqual([])
  })
})
