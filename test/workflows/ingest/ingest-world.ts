import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { isLeft } from 'fp-ts/lib/Either.js'
import { onTestFinished } from 'vitest'
import type { Config } from '#src/app/config/settings.ts'
import type { System } from '#src/app/system.ts'
import { jobStream } from '#src/domain/ingest/ids.ts'
import { jobDecider } from '#src/domain/ingest/job/decide.ts'
import { submissionsTopic } from '#src/domain/ingest/messages.ts'
import { batches, jobs, reports } from '#src/domain/ingest/views.ts'
import { is, rowsIfFolded } from '#src/domain/kernel/read-views.ts'
import type { Rejection } from '#src/domain/kernel/rejection.ts'
import type { RowOf } from '#src/domain/kernel/view.ts'
import { ingestCommands } from '#src/processors/ingest/operator-commands.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { started, testSystem } from '../../app/archive.ts'
import { patience } from '../../patience.ts'

type BatchRow = RowOf<typeof batches>
type JobRow = RowOf<typeof jobs>

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
export const md5 = (bytes: string | Uint8Array): string => createHash('md5').update(bytes).digest('hex')

/** A folder that goes with the test. */
export const testFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-ingest-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** Waits until the condition gives something. */
export const until = async <A>(
  what: string,
  condition: () => A | undefined | Promise<A | undefined>,
): Promise<A> => {
  const deadline = performance.now() + patience
  for (;;) {
    const found = await condition()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`not in time: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** A manifest of files, or of objects. */
export const manifest = (
  profile: string,
  rows: readonly (readonly (string | number | undefined)[])[],
  end = '#%eof\n',
): string =>
  [
    '#%checkm_0.7\n',
    `#%profile | http://uc3.cdlib.org/registry/ingest/manifest/${profile}\n`,
    ...rows.map((fields) => `${fields.map((field) => field ?? '').join(' | ')}\n`),
    end,
  ].join('')

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A server on a free port of this machine, which keeps what it was asked. */
export const testServer = async (
  answer: (asked: Asked, response: ServerResponse) => void | Promise<void>,
) => {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const one = { method, url, headers, body: await text(request) }
    asked.push(one)
    await answer(one, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** A server of files, by their paths; each may also be a function that answers itself. */
export const fileServer = (
  files: Record<string, string | Buffer | ((response: ServerResponse, asked: Asked) => unknown)>,
) =>
  testServer(async (asked, response) => {
    const file = files[asked.url.slice(1)]
    if (file === undefined) return void response.writeHead(404).end()
    if (typeof file === 'function') return void (await file(response, asked))
    response.writeHead(200, { 'content-length': Buffer.byteLength(file) })
    response.end(asked.method === 'HEAD' ? undefined : file)
  })

const allRoles = ['processors', 'reactions', 'projections', 'workers'] as const

/** A whole embedded system in this process, with its workers. */
export const ingestWorld = async (
  settings: Partial<Config> = {},
  roles: Parameters<typeof started>[1] = allRoles,
) => {
  const system: System = await testSystem(settings)
  const content = testFolder()
  const running = await started(system, roles)

  const batch = (id: string): BatchRow | undefined =>
    rowsIfFolded(system.viewStore, batches, { where: [is('batch', id)] })[0]

  const jobsOf = (id: string): readonly JobRow[] =>
    rowsIfFolded(system.viewStore, jobs, { where: [is('batch', id)], orderBy: [{ column: 'job' }] })

  return {
    system,
    running,
    content,
    batch,
    jobsOf,
    /** The address of a file that is made for it. */
    file: async (name: string, bytes: string | Uint8Array): Promise<string> => {
      const path = join(content, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, bytes)
      return pathToFileURL(path).href
    },
    submit: async (submission: object, sealed = false): Promise<string> => {
      const id = crypto.randomUUID()
      const data = { batch: id, profile: 'default', submitter: 'ada', mode: 'add', ...submission }
      await reportOnTopic(system, submissionsTopic, 'fonds://test', [
        { type: 'batch.submitted', data, sealed },
      ])
      return id
    },
    /** A person puts a failed job back to work. */
    resume: async (job: number): Promise<void> => {
      const command = { type: 'ResumeJob', actor: 'ada', reason: 'mended', at: system.clock.now() } as const
      const envelope = { stream: jobStream(job), command, causationId: crypto.randomUUID() }
      const resumed = await system.execute(jobDecider, envelope)
      if (isLeft(resumed) || resumed.right.kind === 'rejected') throw new Error(JSON.stringify(resumed))
    },
    /** What a person asks for, as `fonds do` does. The rejection; undefined where it was done. */
    ask: async (name: string, input: object): Promise<Rejection | undefined> => {
      const command = ingestCommands.find((one) => one.name === `ingest.${name}`)!
      const rejected = command.rejection?.(input)?.(system.viewStore)
      if (rejected) return rejected
      const by = { actor: 'ada', reason: 'asked', at: system.clock.now() }
      const { decider, ...route } = command.route(input, by)
      const done = await system.execute(decider, { ...route, causationId: crypto.randomUUID() })
      if (isLeft(done)) throw new Error(JSON.stringify(done.left))
      return done.right.kind === 'rejected' ? done.right.rejection : undefined
    },
    /** The job of that number, once it is in the state. */
    jobIs: (job: number, state: string): Promise<JobRow> =>
      until(`job ${job} is ${state}`, () =>
        rowsIfFolded(system.viewStore, jobs, { where: [is('job', job), is('state', state)] }).at(0),
      ),
    batchIs: (id: string, state: string): Promise<BatchRow> =>
      until(`batch ${id} is ${state}`, () => {
        const found = batch(id)
        return found?.state === state ? found : undefined
      }),
    reportsOf: (id: string): readonly RowOf<typeof reports>[] =>
      rowsIfFolded(system.viewStore, reports, { where: [is('batch', id)], orderBy: [{ column: 'report' }] }),
    ended: (id: string): Promise<BatchRow> =>
      until(`batch ${id} ends`, () => {
        const found = batch(id)
        return found?.state === 'completed' || found?.state === 'failed' ? found : undefined
      }),
    /** The text of a stored file; undefined where there is none. */
    stored: async (ark: string | null, path: string, version?: number): Promise<string | undefined> => {
      const read = await (await system.adapters.ingest.objectStore()).read(ark ?? '', path, version)()
      if (isLeft(read)) throw new Error(JSON.stringify(read.left))
      return read.right && text(read.right.open())
    },
    paths: async (ark: string | null, version?: number): Promise<readonly string[]> => {
      const files = await (await system.adapters.ingest.objectStore()).files(ark ?? '', version)()
      if (isLeft(files)) throw new Error(JSON.stringify(files.left))
      return (files.right ?? []).map(({ path }) => path)
    },
  }
}
