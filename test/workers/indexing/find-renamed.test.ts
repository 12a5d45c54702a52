import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Broker, ProducerRecord } from '#src/ports/broker.ts'
import type { Listed } from '#src/workers/indexing/listing/listed.ts'
import { pollSource } from '#src/workers/indexing/poll-source.ts'
import { type IndexingWorld, indexingWorld } from '../../processors/indexing/world.ts'

let world: IndexingWorld
let folder: string
beforeEach(() => {
  world = indexingWorld()
  folder = mkdtempSync(join(tmpdir(), 'fonds-open-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

/** A file that a crashed harvester left open, as an earlier list showed it. */
const left = async (location = join(folder, 'a.warc.gz.open'), more: object = {}) => {
  await world.sight('a.warc.gz.open', 60, { place: { location, size: 1 }, ...more })
  await world.fold()
}

/** The messages on a list with the file, but for that of the file itself. */
const listed = async (location = join(folder, 'a.warc.gz'), name = 'a.warc.gz') => {
  const sent: ProducerRecord[] = []
  const broker = {
    produce: (records: readonly ProducerRecord[]) => async () => {
      sent.push(...records)
      return { _tag: 'Right', right: [] }
    },
  } as unknown as Broker
  const list = async function* (): AsyncGenerator<Listed> {
    yield { kind: 'file', name, fileKind: undefined, place: { location, size: 1 } }
  }
  const signal = new AbortController().signal
  const tools = { ...world, broker, source: 'fonds://poller', signal, onSkipped: () => {} }
  const { news } = await pollSource('main', list(), tools)
  expect(news).toBe(1)
  return sent.flatMap(({ key, headers, value }) =>
    key === `main/${name}` ? [] : [{ type: headers.ce_type, data: JSON.parse(String(value)) }],
  )
}

describe('a file that a harvester left open', () => {
  const withdrawn = {
    type: 'file.withdrawn',
    data: { repository: 'main', name: 'a.warc.gz.open', reason: 'it was renamed to a.warc.gz' },
  }

  it('is withdrawn when a list shows its finished name, and it is gone', async () => {
    await left()
    expect(await listed()).toEqual([withdrawn])
  })

  it('is withdrawn where its location is a URL of this machine', async () => {
    await left(`${pathToFileURL(folder)}/a.warc.gz.open`)
    expect(await listed(`${pathToFileURL(folder)}/a.warc.gz`)).toEqual([withdrawn])
  })

  it('W4 stays while it is there, and where the other lies elsewhere or on a server', async () => {
    await left()
    expect(await listed(join(folder, 'other/a.warc.gz'))).toEqual([])
    expect(await listed('https://host.example/a.warc.gz')).toEqual([])
    expect(await listed(join(folder, 'b.warc.gz'), 'b.warc.gz')).toEqual([])
    writeFileSync(join(folder, 'a.warc.gz.open'), 'x')
    expect(await listed()).toEqual([])
  })

  it('stays where a person said what it is', async () => {
    await left(undefined, { kind: 'content' })
    expect(await listed()).toEqual([])
  })

  it('on a server stays: nothing is asked there', async () => {
    await left('https://host.example/a.warc.gz.open')
    expect(await listed('https://host.example/a.warc.gz')).toEqual([])
  })
})
