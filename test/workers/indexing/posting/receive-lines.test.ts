import { expect, it } from 'vitest'
import { NoRoom } from '#src/async/machine-failure.ts'
import { receiveLines } from '#src/workers/indexing/posting/receive-lines.ts'
import type { TakeRoom } from '#src/workers/runtime/room.ts'

const line = (n: number) =>
  `org,example)/${n} 20260131120000 http://example.org/${n} text/html 200 ABC - - 100 ${n} a.warc.gz`

const receive = async (
  chunks: readonly (string | Buffer)[],
  skipsBad = false,
  more: { readonly takeRoom?: TakeRoom } = {},
) => {
  let read = 0
  const body = async function* () {
    for (const chunk of chunks) {
      read++
      yield Buffer.from(chunk)
    }
  }
  const { batches, counts } = receiveLines(
    body(),
    { skipsBad },
    { maxBytes: 10_000, maxLineBytes: 500, ...more },
  )
  let text = ''
  let error: unknown
  try {
    for await (const batch of batches) text += batch
  } catch (thrown) {
    error = thrown
  }
  return { lines: text.split('\n').slice(0, -1), counts, error, read }
}

it('indexing C10 headers and empty lines mean nothing, wherever the body is parted', async () => {
  const text = ` CDX N b a m s k r M S V g\n${line(1)}\n\r\n\n!meta {"format":"cdxj"}\n${line(2)}`
  for (let at = 0; at <= text.length; at += 7) {
    const { lines, counts, error } = await receive([text.slice(0, at), text.slice(at)])
    expect(error).toBeUndefined()
    expect(lines).toEqual([line(1), line(2)])
    expect(counts.lines).toBe(2)
  }
})

it('indexing C11 a bad line is named by its number, when the body has ended', async () => {
  const { error, read } = await receive([`${line(1)}\n\n`, 'bad\n', line(2), '\n'])
  expect(error).toMatchObject({ code: 'bad-line', message: expect.stringMatching(/^line 3: .*"bad"/) })
  expect(read).toBe(4)
})

it('indexing C11 bad lines are left out and counted, where that is wanted', async () => {
  const notUtf8 = Buffer.from([0x6f, 0xff, 10])
  const { lines, counts, error } = await receive([`bad\n${line(1)}\n`, notUtf8, line(2)], true)
  expect(error).toBeUndefined()
  expect(lines).toEqual([line(1), line(2)])
  expect(counts).toMatchObject({ lines: 2, skipped: 2, firstSkipped: expect.stringContaining('line 1: ') })
})

it('indexing C11 of a post that breaks off nothing is taken', async () => {
  const body = async function* () {
    yield Buffer.from(`${line(1)}\n`)
    throw new Error('aborted')
  }
  const { batches } = receiveLines(body(), { skipsBad: true })
  const read = (async () => {
    for await (const batch of batches) expect(batch).toBe(`${line(1)}\n`)
  })()
  await expect(read).rejects.toMatchObject({
    code: 'broken-off',
    message: expect.stringContaining('aborted'),
  })
})

it('indexing C11 a line, and a post, has a bound', async () => {
  expect((await receive(['x'.repeat(300), 'x'.repeat(300), '\n'], true)).error).toMatchObject({
    code: 'bad-line',
  })
  const many = Array.from({ length: 200 }, (_, n) => `${line(n)}\n`)
  expect((await receive(many)).error).toMatchObject({ code: 'too-large' })
})

it('ingest X10 where the disk has no room for it nothing is taken, and the body is read to its end', async () => {
  let left = 200
  const takeRoom = (bytes: number) => {
    left -= bytes
    return left < 0 ? Promise.reject(new NoRoom('there is no room', bytes)) : undefined
  }
  const chunks = [1, 2, 3, 4].map((n) => `${line(n)}\n`)
  const { error, read, lines } = await receive(chunks, true, { takeRoom })
  expect(error).toMatchObject({
    code: 'disk-refuses',
    message: 'no line of the post is taken: there is no room; then send it again',
  })
  expect(read).toBe(chunks.length)
  expect(lines.length).toBeLessThan(chunks.length)
})
