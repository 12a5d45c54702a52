import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { profilesTopic } from '#src/domain/ingest/messages.ts'
import { files, profiles } from '#src/domain/ingest/views.ts'
import { is, rows, rowsIfFolded } from '#src/domain/kernel/read-views.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { ingestWorld, sha256, testFolder, testServer, until } from './ingest-world.ts'

type World = Awaited<ReturnType<typeof ingestWorld>>

const answersPath = 'system/mrt-characterisation.ndjson'
const url = (...path: readonly string[]) => pathToFileURL(join(...path)).href

/** A command that notes each file that it is asked about, and does with it what a script says. */
const tool = (script = '') => {
  const folder = testFolder()
  const asked = join(folder, 'asked')
  writeFileSync(asked, '')
  const path = join(folder, 'tool.mjs')
  writeFileSync(
    path,
    `import { appendFileSync, readFileSync } from 'node:fs'
     const path = process.argv.at(-1)
     const text = readFileSync(path, 'utf8')
     appendFileSync(${JSON.stringify(asked)}, text + '\\n')
     ${script}
     console.log(JSON.stringify({ puid: 'x-fmt/111', mimeType: 'text/plain', length: text.length }))`,
  )
  return {
    line: `"${process.execPath}" "${path}"`,
    asked: () => readFileSync(asked, 'utf8').split('\n').filter(Boolean).sort(),
  }
}

const answersOf = async (world: World, ark: string | null, version?: number) =>
  (await world.stored(ark, answersPath, version))
    ?.split('\n')
    .filter(Boolean)
    // biome-ignore lint/suspicious/noExplicitAny: assertions say what is there
    .map((line): any => JSON.parse(line))
    .sort((one, other) => (one.path < other.path ? -1 : 1))

const format = { registry: 'pronom', id: 'x-fmt/111', mimeType: 'text/plain' }

describe('characterisation', () => {
  it('by a command: its answers are kept in the object, and formats known with the files', async () => {
    const { line, asked } = tool()
    const world = await ingestWorld({ ingestCharacterise: line })
    await world.file('box/a.txt', 'A')
    await world.file('box/deep/b "c"\u2028.txt', 'BB')
    const first = await world.submit({ payload: { url: url(world.content, 'box') }, localIds: ['box'] })
    expect(await world.ended(first)).toMatchObject({ state: 'completed' })
    const { ark } = world.jobsOf(first)[0]!
    const answer = (length: number) => ({ puid: 'x-fmt/111', mimeType: 'text/plain', length })
    expect(await answersOf(world, ark)).toEqual([
      { path: 'producer/a.txt', sha256: sha256('A'), tool: line, format, answer: answer(1) },
      {
        path: 'producer/deep/b "c"\u2028.txt',
        sha256: sha256('BB'),
        tool: line,
        format,
        answer: answer(2),
      },
    ])
    const known = (version: number) =>
      rows(world.system.viewStore, files, {
        where: [is('version', version), is('mimeType', 'text/plain')],
        orderBy: [{ column: 'path' }],
      })
    expect(known(1)).toMatchObject([
      { path: 'producer/a.txt', format },
      { path: 'producer/deep/b "c"\u2028.txt', format },
    ])

    await world.file('more/c.txt', 'CCC')
    const payload = { url: url(world.content, 'more') }
    const second = await world.submit({ payload, mode: 'update', localIds: ['box'] })
    expect(await world.ended(second)).toMatchObject({ state: 'completed' })
    expect(asked()).toEqual(['A', 'BB', 'CCC'])
    expect(await answersOf(world, ark, 2)).toMatchObject([{ path: 'producer/c.txt' }])
    expect(known(2).map(({ path }) => path)).toEqual([
      'producer/a.txt',
      'producer/c.txt',
      'producer/deep/b "c"\u2028.txt',
    ])
  })

  it('by a service, which is sent the bytes', async () => {
    const service = await testServer((_, response) => void response.end('text/x-test; charset=utf-8'))
    const world = await ingestWorld({ ingestCharacterise: `${service.address}/detect` })
    const id = await world.submit({ payload: { url: await world.file('a.txt', 'Dear all') } })
    expect(await world.ended(id)).toMatchObject({ state: 'completed' })
    expect(service.asked).toMatchObject([{ method: 'PUT', url: '/detect', body: 'Dear all' }])
    expect(await answersOf(world, world.jobsOf(id)[0]!.ark)).toMatchObject([
      { answer: 'text/x-test; charset=utf-8', format: { mimeType: 'text/x-test' } },
    ])
  })

  it('I30 that fails, fails the job in processing with its words; resumed, it asks about the rest alone', async () => {
    const mended = join(testFolder(), 'mended')
    // Once the answer to A is kept.
    const { line, asked } = tool(
      `const { existsSync } = await import('node:fs')
       if (text === 'B' && !existsSync(${JSON.stringify(mended)})) {
         const kept = path.replace(/producer.B.txt$/, '${answersPath}')
         while (!readFileSync(kept, 'utf8').endsWith('}\\n')) await new Promise((next) => setTimeout(next, 20))
         console.error('no signature for B')
         process.exit(3)
       }`,
    )
    const world = await ingestWorld({ ingestCharacterise: line })
    for (const name of ['A', 'B']) await world.file(`box/${name}.txt`, name)
    const id = await world.submit({ payload: { url: url(world.content, 'box') } })
    expect(await world.ended(id)).toMatchObject({ state: 'failed' })
    const [job] = world.jobsOf(id)
    expect(job).toMatchObject({ failedIn: 'processing', permanent: 0, ark: null })
    expect(job!.message).toMatch(/^producer\/B.txt could not be characterised: .* ended with 3: no signature/)

    writeFileSync(mended, '')
    await world.resume(job!.job)
    await world.jobIs(job!.job, 'completed')
    expect(asked()).toEqual(['A', 'B', 'B'])
    expect(await answersOf(world, world.jobsOf(id)[0]!.ark)).toHaveLength(2)
  })

  it('that hangs is stopped, and fails the job', async () => {
    const { line } = tool('await new Promise((resolve) => setTimeout(resolve, 1e6))')
    const world = await ingestWorld({ ingestCharacterise: line, ingestCharacteriseSeconds: 2 })
    const id = await world.submit({ payload: { url: await world.file('a.txt', 'A') } })
    expect(await world.ended(id)).toMatchObject({ state: 'failed' })
    expect(world.jobsOf(id)[0]!.message).toMatch(/gave no answer in 2 s and was stopped$/)
  })

  it('is not done where none is set, or the profile wants none', async () => {
    const { line, asked } = tool()
    const without = await ingestWorld()
    const one = await without.submit({ payload: { url: await without.file('a.txt', 'A') } })
    await without.ended(one)
    expect(await answersOf(without, without.jobsOf(one)[0]!.ark)).toBeUndefined()

    const world = await ingestWorld({ ingestCharacterise: line })
    const data = { name: 'plain', characterise: 'none' }
    await reportOnTopic(world.system, profilesTopic, 'fonds://test', [{ type: 'profile.set', data }])
    await until('the profile is known', () =>
      rowsIfFolded(world.system.viewStore, profiles, { where: [is('profile', 'plain')] }).at(0),
    )
    const payload = { url: await world.file('a.txt', 'A') }
    const other = await world.submit({ payload, profile: 'plain' })
    expect(await world.ended(other)).toMatchObject({ state: 'completed' })
    expect(await answersOf(world, world.jobsOf(other)[0]!.ark)).toBeUndefined()
    expect(asked()).toEqual([])
  })
})
