import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { batches, files, jobs } from '../../../src/domain/ingest/views.ts'
import { rowsIfFolded } from '../../../src/domain/kernel/read-views.ts'
import { DAY } from '../../../src/domain/kernel/time.ts'
import { tellFigures } from '../crash/figures.ts'
import { roundsOr, useSeed } from '../crash/seed.ts'
import { openHome } from '../open-home.ts'
import { startServer, until, useFolder } from '../run-fonds.ts'

/* The process that takes uploads in is killed in the midst of them. */

const kills = roundsOr(6)
/** At once. */
const uploads = 3

/** A submission of some files, and what became of it. */
interface Upload {
  readonly title: string
  readonly files: ReadonlyMap<string, Buffer>
  /** Sent again under this key until it is answered. */
  readonly key: string | undefined
  /** All of it was given to the network, at least once. */
  isSent: boolean
  /** The batch that it was answered with. */
  batch: string | undefined
}

it('X22 of an upload that is killed in the midst nothing becomes a batch; a whole one is there once', async () => {
  const { seed, chance } = useSeed()
  const { home } = useFolder()
  const all: Upload[] = []
  for (let kill = 0; kill < kills; kill++) {
    const door = await startServer({ home }, ['--roles', 'api'])
    const again = all.filter(({ key, batch }) => key !== undefined && batch === undefined)
    const those = [...again, ...Array.from({ length: uploads }, () => newUpload(all, chance))]
    const bytes = those.reduce((sum, one) => sum + sizeOf(one), 0)
    // Some are killed behind the last byte: while it is put away, or answered.
    const enough = bytesIn(home) + chance() * 1.2 * bytes
    const answers = those.map((one) => send(door.address, one))
    let isOver = false
    const over = kill % 2 === 0 ? Promise.race(answers) : Promise.all(answers)
    void over.then(() => {
      isOver = true
    })
    while (!isOver && bytesIn(home) < enough) await setTimeout(1)
    door.child.kill('SIGKILL')
    await Promise.all([door.exit, ...answers])
  }
  const leftBehind = comingIn(home)
  console.log(
    `${all.length} uploads, ${all.filter(({ batch }) => batch !== undefined).length} answered, ${leftBehind.length} left behind`,
  )
  expect(leftBehind.length).toBeGreaterThan(0)

  const server = await startServer({ home })
  const again = all.filter(({ key, batch }) => key !== undefined && batch === undefined)
  await Promise.all(again.map((one) => sendWhole(server.address, one)))
  const { viewStore, close } = await openHome(home)
  onTestFinished(close)
  const answered = all.filter(({ batch }) => batch !== undefined)
  const rows = await until('every batch is completed', () => {
    const found = rowsIfFolded(viewStore, batches, {})
    const ended = new Set(found.filter(({ state }) => state === 'completed').map(({ batch }) => batch))
    return answered.every(({ batch }) => ended.has(batch!)) && ended.size === found.length && found
  })
  // One whose answer was lost is there, too, if all of it had come.
  const sent = new Map(all.filter(({ isSent }) => isSent).map((one) => [one.title, one]))
  expect(new Set(rows.map(({ title }) => title)).size).toBe(rows.length)
  expect(rows.filter(({ title }) => !sent.has(title ?? ''))).toEqual([])
  const arks = new Map(rowsIfFolded(viewStore, jobs, {}).map(({ batch, ark }) => [batch, ark]))
  expect(arks.size).toBe(rows.length)
  const stored = Map.groupBy(rowsIfFolded(viewStore, files, {}), ({ object }) => object)
  for (const { batch, title } of rows) {
    const given = stored.get(arks.get(batch)!)!.filter(({ path }) => path.startsWith('producer/'))
    const wanted = [...sent.get(title!)!.files].map(([name, content]) => [
      `producer/${name}`,
      sha256(content),
    ])
    expect(given.map(({ path, sha256 }) => [path, sha256])).toEqual(wanted)
  }

  expect(comingIn(home)).toEqual(leftBehind)
  const longAgo = (Date.now() - 2 * DAY) / 1000
  for (const path of leftBehind) utimesSync(path, longAgo, longAgo)
  await sendWhole(server.address, newUpload(all, chance))
  expect(comingIn(home)).toEqual([])
  tellFigures(seed, { kills, acknowledged: answered.length })
})

/** Everything that is coming, or was. */
const comingIn = (home: string): readonly string[] => below(join(home, 'drop/.coming')).toSorted()

const below = (folder: string): readonly string[] => {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))
}

/** That have come. */
const bytesIn = (home: string): number => {
  try {
    return below(join(home, 'drop'))
      .map((path) => statSync(path))
      .reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0)
  } catch {
    // Some were put away meanwhile.
    return 0
  }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const newUpload = (all: Upload[], chance: () => number): Upload => {
  const n = all.length
  const contents = Array.from({ length: 3 }, (_, i) => {
    const size = 1000 + Math.floor(chance() * 500_000)
    return [`${i}.bin`, Buffer.alloc(size, `${n}/${i} `)] as const
  })
  const key = n % 3 === 0 ? undefined : `upload-${n}`
  const upload = { title: `upload ${n}`, files: new Map(contents), key, isSent: false, batch: undefined }
  all.push(upload)
  return upload
}

const sizeOf = (upload: Upload): number => upload.files.values().reduce((sum, { length }) => sum + length, 0)

const boundary = 'a-boundary-that-no-content-has'
const chunkBytes = 16 * 1024

/** A form, bit by bit. */
async function* formOf(upload: Upload): AsyncGenerator<Uint8Array> {
  const { title, files: contents } = upload
  const part = (name: string, more = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`
  for (const [name, value] of Object.entries({ profile: 'default', submitter: 'ada', title }))
    yield Buffer.from(`${part(name)}${value}\r\n`)
  for (const [name, content] of contents) {
    yield Buffer.from(part('file', `; filename="${name}"`))
    for (let at = 0; at < content.length; at += chunkBytes) yield content.subarray(at, at + chunkBytes)
    yield Buffer.from('\r\n')
  }
  upload.isSent = true
  yield Buffer.from(`--${boundary}--\r\n`)
}

/** Resolves, too, where the connection breaks. */
const send = async (address: string, upload: Upload): Promise<void> => {
  try {
    const answer = await fetch(`${address}/api/v1/ingest/submissions`, {
      method: 'POST',
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        ...(upload.key !== undefined && { 'idempotency-key': upload.key }),
      },
      body: ReadableStream.from(formOf(upload)),
      duplex: 'half',
    })
    const told = (await answer.json()) as { readonly batch: string }
    if (answer.status !== 202) throw new WrongAnswer(JSON.stringify(told))
    upload.batch = told.batch
  } catch (error) {
    if (error instanceof WrongAnswer) throw error
  }
}

class WrongAnswer extends Error {}

const sendWhole = async (address: string, upload: Upload): Promise<void> => {
  await send(address, upload)
  if (upload.batch === undefined) throw new Error(`${upload.title} was not answered`)
}
