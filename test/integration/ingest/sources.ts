import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { freePort } from '../../../infra/local/kafka/free-port.ts'
import type { System } from '../../../src/app/system.ts'
import { orThrow } from '../../../src/async/unavailable.ts'
import { submissionsTopic } from '../../../src/domain/ingest/messages.ts'
import type { Mode, SubmissionType } from '../../../src/domain/ingest/payload.ts'
import { writeMessage } from '../../../src/domain/kernel/cloud-event.ts'
import { writeContent } from '../../e2e/archive.ts'
import { until } from '../../e2e/run-fonds.ts'
import { useNginx } from '../nginx.ts'

/* What a depositor hands in while processes are killed: every kind of payload, on disk and on an nginx that is slow. */

/** Where the bytes of a producer's files are on disk, by their path in the object. */
export type Files = ReadonlyMap<string, string>

interface Submitted {
  readonly url: string
  readonly type: SubmissionType
  readonly localId?: string
  readonly mode?: Mode
}

/** Of each submission. */
const letters = 6

export const useSources = async (root: string) => {
  const [nginx, slow] = [await serve(root), await listen(root)]
  /** By the URL of an object's payload. */
  const objects = new Map<string, Files>()
  const localIds = new Set<string>()
  let submitted = 0

  const urlOf = (path: string): string => pathToFileURL(join(root, path)).href
  const write = (path: string, bytes: Buffer | string): string => {
    writeContent(root, path, bytes)
    return urlOf(path)
  }
  const note = (url: string, names: readonly string[], folder: string): string => {
    objects.set(url, new Map(names.map((name) => [name, join(root, folder, name)])))
    return url
  }
  const known = (localId: string): string => {
    localIds.add(localId)
    return localId
  }
  const writeLetters = (folder: string): readonly string[] =>
    Array.from({ length: letters }, (_, i) => {
      const name = i % 2 === 0 ? `${i}.txt` : `more/${i}.txt`
      write(`${folder}/${name}`, `letter ${i} of ${folder}`)
      return name
    })

  const kinds: Readonly<Record<string, (folder: string) => Submitted>> = {
    folder: (folder) => ({ url: note(urlOf(folder), writeLetters(folder), folder), type: 'folder' }),
    eachFile: (folder) => {
      for (const name of writeLetters(folder)) note(urlOf(`${folder}/${name}`), [name], folder)
      return { url: urlOf(folder), type: 'each-file' }
    },
    container: (folder) => {
      const names = writeLetters(folder)
      const file = `${folder}.tar.gz`
      const packed = spawnSync('tar', ['-czf', join(root, file), '-C', join(root, folder), ...names])
      expect(packed.status, String(packed.stderr)).toBe(0)
      return { url: note(urlOf(file), names, folder), type: 'container' }
    },
    bag: (folder) => {
      const names = writeLetters(`${folder}/data`).map((name) => `data/${name}`)
      const sums = names.map(
        (name) => `${sha256(`letter ${/\d+(?=\.txt)/.exec(name)} of ${folder}/data`)}  ${name}\n`,
      )
      write(`${folder}/manifest-sha256.txt`, sums.join(''))
      write(`${folder}/bagit.txt`, 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n')
      const all = [...names, 'manifest-sha256.txt', 'bagit.txt']
      return { url: note(urlOf(folder), all, folder), type: 'bag' }
    },
    /** A larger file over HTTP, and a small one. */
    manifest: (folder) => {
      const film = Buffer.alloc(1024 ** 2, createHash('sha512').update(folder).digest())
      const files = { 'film.bin': film, 'note.txt': `a note on ${folder}` }
      const rows = Object.entries(files).map(([name, bytes]) => {
        write(`${folder}/${name}`, bytes)
        // Of the one the size is known late, the other comes slowly.
        return `${name === 'film.bin' ? nginx : slow}/${folder}/${name} | sha-256 | ${sha256(bytes)} | | | ${name}`
      })
      const url = write(`${folder}.checkm`, manifest('mrt-ingest-manifest', rows))
      return { url: note(url, Object.keys(files), folder), type: 'manifest', localId: known(folder) }
    },
    batchManifest: (folder) => {
      const rows = Array.from({ length: letters }, (_, i) => {
        const url = write(`${folder}/${i}.txt`, `letter ${i} of ${folder}`)
        note(url, [`${i}.txt`], folder)
        return `${url} | | | | | ${i}.txt | | ${known(`${folder} ${i}`)} | | |`
      })
      const url = write(`${folder}.checkm`, manifest('mrt-single-file-batch-manifest', rows))
      return { url, type: 'single-file-batch-manifest' }
    },
  }
  /** A file more for one object. */
  const update = (round: number): Submitted => {
    const url = write(`diary/${round}.txt`, `day ${round}`)
    return {
      url: note(url, [`${round}.txt`], 'diary'),
      type: 'file',
      localId: known('diary'),
      mode: 'update',
    }
  }
  const names = Object.keys(kinds)

  return {
    objects: objects as ReadonlyMap<string, Files>,
    localIds: localIds as ReadonlySet<string>,
    /** Batches that were handed in. */
    submitted: () => submitted,
    /** An update, and two of the other kinds; each has its turn. */
    handIn: async (system: System, round: number): Promise<void> => {
      const turns = [2 * round, 2 * round + 1].map((turn) => names[turn % names.length]!)
      const all = [update(round), ...turns.map((kind) => kinds[kind]!(`${kind}-${round}`))]
      submitted += all.length
      await orThrow(system.broker.produce(all.map((each) => messageOf(each, slow))))
    },
  }
}

const messageOf = ({ url, type, localId, mode = 'add' }: Submitted, callback: string) => {
  const id = randomUUID()
  const localIds = localId === undefined ? [] : [localId]
  const data = {
    batch: id,
    profile: 'default',
    submitter: 'ada',
    mode,
    localIds,
    payload: { url, type },
    callback,
  }
  const about = { id, source: 'urn:test:depositor', type: 'batch.submitted' }
  return writeMessage({ ...about, time: new Date().toISOString(), data }, submissionsTopic)
}

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

const manifest = (profile: string, rows: readonly string[]): string =>
  [
    '#%checkm_0.7',
    `#%profile | http://uc3.cdlib.org/registry/ingest/manifest/${profile}`,
    ...rows,
    '#%eof\n',
  ].join('\n')

/** The address of a slow nginx that has what is below the folder. */
const serve = async (root: string): Promise<string> => {
  const port = await freePort()
  useNginx(port).start(`location / { root ${root}; limit_rate 2m; }`)
  const address = `http://127.0.0.1:${port}`
  await until('nginx answers', () =>
    fetch(address).then(
      () => true,
      () => false,
    ),
  )
  return address
}

/** The address of a slow server that is told of each job, and has what is below the folder. */
const listen = async (root: string): Promise<string> => {
  const server = createServer(async ({ method, url = '' }, answer) => {
    await setTimeout(120)
    if (method === 'POST') return answer.writeHead(204).end()
    const bytes = readFileSync(join(root, url))
    answer.writeHead(200, { 'content-length': bytes.length }).end(method === 'HEAD' ? undefined : bytes)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await until('the server listens', () => server.listening)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
