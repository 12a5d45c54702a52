import { isUtf8 } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { formatLine } from '@fonds/cdx'
import { decodeCdxRequest } from '@fonds/cdx/server'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { postedLines } from '#src/domain/indexing/posts/posted-line.ts'
import { withKeysOfLines } from '#src/projections/indexing/captures/keys-with-lines.ts'
import { packed } from '../../../packages/warc/test/make-warc.ts'
import { useSeed } from '../../e2e/crash/seed.ts'
import { useFolder } from '../../e2e/run-fonds.ts'
import { found, indexOf, sourceOf } from '../../projections/indexing/captures/given-index.ts'
import { runs } from '../../runs.ts'
import { readPath } from '../../workers/indexing/read-bytes.ts'
import { server } from '../servers.ts'
import { indexByPywb } from './pywb.ts'
import { pair, sent } from './sent-requests.ts'

/* Keys of responses to POST and PUT: ours, those of `cdxj-indexer -p` 1.5.0, and those that pywb 2.10 asks for. */

const indexer = server('cdxj-indexer')
const isAbsent = 'absent' in indexer
const program = 'address' in indexer ? indexer.address : ''

const read = (line: string) => {
  const [key = '', time = ''] = line.split(' ', 2)
  const members = JSON.parse(line.slice(key.length + time.length + 2))
  return {
    key,
    time,
    ...members,
    ...('requestBody' in members && { requestBody: members.requestBody ?? '' }),
  }
}

const theirLines = (path: string) => {
  const { stdout, stderr, status } = spawnSync(program, ['-p', path], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  expect(status, stderr).toBe(0)
  return stdout.split('\n').filter(Boolean)
}

const ourLines = async (path: string, name: string) => {
  const reading = await readPath(path, { name, kind: 'content', hasRequests: true })
  if (!('captures' in reading)) throw new Error(reading.reason)
  return reading.captures.map((capture) => formatLine('cdxj', capture))
}

const orThrow = (line: ReturnType<ReturnType<typeof postedLines>['read']>): string => {
  if (line?._tag !== 'Right') throw new Error(line?.left)
  return line.right
}

describe.skipIf(isAbsent)('keys of requests', () => {
  it('are those of cdxj-indexer 1.5.0 with -p, line for line, whatever was sent', async () => {
    const { folder } = useFolder()
    const { seed } = useSeed()
    const all = fc.sample(sent, { numRuns: runs(4000), seed })
    const name = 'made.warc.gz'
    writeFileSync(join(folder, name), packed(...all.flatMap((one, i) => pair(one, i))))
    const theirs = theirLines(join(folder, name)).map(read)
    const ours = (await ourLines(join(folder, name), name)).map(read)
    ours.sort((a, b) => Number(a.offset) - Number(b.offset))
    expect(ours.length).toBe(theirs.length)
    const differences = theirs.flatMap((line, i) =>
      isDeepStrictEqual(ours[i], line)
        ? []
        : [{ sent: { ...all[i], body: all[i]?.body.toString('latin1') }, ours: ours[i], theirs: line }],
    )
    expect(differences.slice(0, 5)).toEqual([])
  })

  it('whoever wrote the lines, a question by requestBody finds the responses to that request, and no others', async () => {
    const { folder } = useFolder()
    const url = 'http://a.example/x'
    const all = fc
      .sample(sent, { numRuns: runs(1000), seed: useSeed().seed })
      .filter(({ method, length, body }) => /^P[OU]/.test(method) && length === String(body.length))
    const path = join(folder, 'made.warc.gz')
    writeFileSync(path, packed(...all.flatMap((one, i) => pair(one, i, url))))
    const byPywb = join(folder, 'pywb.cdxj')
    indexByPywb(byPywb, [path], ['--postappend'])
    const written = {
      ours: await ourLines(path, 'made.warc.gz'),
      'cdxj-indexer': theirLines(path),
      pywb: readFileSync(byPywb, 'utf8')
        .split('\n')
        .filter((line) => line.includes(' {')),
    }
    for (const [writer, lines] of Object.entries(written)) {
      const reader = postedLines()
      const kept = lines.map((line) => orThrow(reader.read(line)))
      const source = sourceOf(indexOf({ all: kept }))
      const keyAt = new Map(kept.map((line) => [line.split(' ')[9], line.split(' ')[0]]))
      /** Keys of the captures that are found, each once. */
      const ask = async (words: Readonly<Record<string, string>>) => {
        const asked = decodeCdxRequest(new URLSearchParams({ url, ...words }))
        if (asked._tag === 'Left') throw new Error(asked.left.message)
        const query = await withKeysOfLines(source, asked.right)
        return (await found(source, query)).lines.map((line) => line.split(' ')[9])
      }
      const inOrder = kept.toSorted((a, b) => Number(a.split(' ')[9]) - Number(b.split(' ')[9]))
      expect(inOrder.length, writer).toBe(all.length)
      for (const [i, { method, mime = '', body }] of all.entries()) {
        const offset = inOrder[i]?.split(' ')[9]
        const same = [...keyAt].filter(([, key]) => key === keyAt.get(offset)).map(([at]) => at)
        const label = JSON.stringify({ writer, method, mime, body: body.toString('latin1').slice(0, 300) })
        // As a line has it, which is OutbackCDX's way.
        const requestBody = lines
          .map((line) => read(line))
          .find((line) => line.offset === offset)?.requestBody
        expect(await ask({ method, requestBody: requestBody ?? '' }), label).toContain(offset)
        // Without a body, pywb makes the key of the method alone, and cdxj-indexer by the media type.
        if (!isUtf8(body) || mime === '' || body.length === 0) continue
        // Nor has what one of them cannot read a key of its own.
        if (/\?__wb_method=\w+$/.test(keyAt.get(offset) ?? '')) continue
        // As it was sent: with its media type, nothing else is found.
        const exact = await ask({ method, requestBody: body.toString(), requestType: mime })
        expect(exact.toSorted(), label).toEqual(same.toSorted())
      }
    }
  })
})
