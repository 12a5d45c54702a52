import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Part, partsOf } from '../../dashboard/src/api/lines-of.ts'
import {
  settingOf,
  sourcesIn,
  whyNoSource,
  withSource,
} from '../../dashboard/src/pages/indexing/named-sources.ts'
import { curatedLine, mediaTypeOf, uriOf } from '../../dashboard/src/pages/research/programme-line.ts'
import { decode } from '../../src/domain/kernel/codecs.ts'
import { episodesTopic } from '../../src/domain/research/curation-messages.ts'
import { parseSources } from '../../src/workers/indexing/sources.ts'
import { runs } from '../runs.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = bytesOf(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

const partsIn = async (text: string, size: number, limits: Parameters<typeof partsOf>[1]) => {
  const parts: Part[] = []
  for await (const part of partsOf(inChunks(text, size), limits)) parts.push(part)
  return parts
}

describe('a file of lines in parts', () => {
  it('is whole, in whole lines, within its limits, and names the first line of each part', async () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\n', ''))
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 30 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 7 }),
        async (lines, hasEnd, size, maxBytes, maxLines) => {
          const text = lines.join('\n') + (hasEnd && lines.length > 0 ? '\n' : '')
          const parts = await partsIn(text, size, { maxBytes, maxLines })
          expect(parts.map(({ bytes }) => textOf(bytes)).join('')).toBe(text)
          let first = 1
          for (const [i, part] of parts.entries()) {
            expect(part.first).toBe(first)
            const own = textOf(part.bytes).split('\n')
            const count = own.at(-1) === '' ? own.length - 1 : own.length
            expect(count).toBeLessThanOrEqual(maxLines)
            if (count > 1) expect(part.bytes.length).toBeLessThanOrEqual(maxBytes)
            if (i < parts.length - 1) expect(textOf(part.bytes).endsWith('\n')).toBe(true)
            first += count
          }
        },
      ),
      { numRuns: runs(200) },
    )
  })
})

describe('sources', () => {
  it('are those that the server reads, one more of which is written as it reads them', () => {
    const value = 'main=/srv/warcs, nas=https://host.example/files?a=b'
    expect(sourcesIn(value)).toEqual(parseSources(value))
    const more = withSource(sourcesIn(value), { repository: 'deep', location: 's3://bucket/crawl' })
    expect(parseSources(settingOf(more ?? []))).toEqual(more)
    expect(withSource(sourcesIn(value), { repository: 'main', location: '/srv/warcs' })).toBe(undefined)
    expect(sourcesIn('')).toEqual([])
  })

  it.each([
    [{ repository: 'a b', location: '/srv' }, /^Repository/],
    [{ repository: '', location: '/srv' }, /^Repository/],
    [{ repository: 'main', location: 'srv/warcs' }, /^Place/],
    [{ repository: 'main', location: '/srv/a,b' }, /^Place/],
  ])('%o is none, and the field is named', (source, why) => {
    expect(whyNoSource(source)).toMatch(why)
  })

  it.each(['/srv/warcs', 's3://bucket/prefix', 'https://host.example/files.txt'])(
    '%s is a place',
    (location) => {
      expect(whyNoSource({ repository: 'main', location })).toBe(undefined)
    },
  )
})

describe('a programme', () => {
  const given = {
    ...{ id: 'nine', title: 'Nine', place: '/srv/pro grammes/9#.mp3', mediaType: 'audio/mpeg' },
    ...{ curator: 'ada', priority: '5' },
  }

  it('is a message that the topic takes, with a path of the server as its address', () => {
    const { type, data } = curatedLine(given, new Date('2026-01-31T12:00:00Z'))
    const [{ codec }] = episodesTopic.messages
    expect(type).toBe('episode.curated')
    expect(decode(codec, data)).toMatchObject({
      _tag: 'Right',
      right: { mediaUri: 'file:///srv/pro%20grammes/9%23.mp3', priority: 5 },
    })
    expect(curatedLine({ ...given, priority: '' }, new Date()).data).not.toHaveProperty('priority')
  })

  it('is of the type that its name shows, and other addresses stay', () => {
    expect(mediaTypeOf('https://a.example/9.FLAC?x=1')).toBe('audio/flac')
    expect(mediaTypeOf('https://a.example/9')).toBe(undefined)
    expect(uriOf('s3://bucket/a b.mp3')).toBe('s3://bucket/a b.mp3')
  })
})
