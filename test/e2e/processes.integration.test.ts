import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildTree } from './archive.ts'
import { addsUp, ask, type Line, linesOf, run, startServer, stop, useFolder } from './run-fonds.ts'

/* Several processes on one home at once: they share the work, and none of it is lost or done twice. */

const recorded = (path: string) =>
  JSON.stringify({
    type: 'content.recorded',
    data: { store: 'elsewhere', path, checksums: [{ algorithm: 'md5', value: 'a'.repeat(32) }] },
  })

it('two servers, a check and two producers at once: everything has its effect once, and both end cleanly', async () => {
  const { home, root } = useFolder()
  const given = { home, env: { FONDS_IDLE_MIN_SECONDS: '1', FONDS_IDLE_MAX_SECONDS: '1' } }
  const paths = buildTree(root, 400)
  await ask(['fixity', 'add', root, '--store', 'main'], given)
  const servers = await Promise.all([startServer(given), startServer(given)])

  const some = Array.from({ length: 2 }, (_, producer) =>
    Array.from({ length: 500 }, (_, i) => recorded(`${producer}/${i}`)).join('\n'),
  )
  const [checked, ...produced] = await Promise.all([
    run(['fixity', 'check', 'main'], given),
    ...some.map((stdin) => run(['produce', 'fonds.fixity.content', '--wait'], { ...given, stdin })),
  ])
  expect(checked.code, checked.stderr).toBe(0)
  expect(linesOf(checked)).toMatchObject([
    { total: paths.length, checked: paths.length, failed: 0, unverified: 0, suspect: 0 },
  ])
  for (const each of produced) {
    expect(each.code, each.stderr).toBe(0)
    expect(linesOf(each)).toMatchObject([{ accepted: 500, refused: 0 }])
  }

  const report = await ask(['fixity', 'report'], given)
  expect(report.every(addsUp)).toBe(true)
  const whole = (store: string) => report.find((line) => line.store === store && line.prefix === '(all)')
  expect(whole('main')).toMatchObject({
    expected: paths.length,
    failed: 0,
    unverified: 0,
    unchecked: 0,
    suspect: 0,
  })
  expect(whole('elsewhere')).toMatchObject({ expected: 1000, unchecked: 1000 })

  for (const server of servers) {
    expect(await stop(server), server.stderr()).toBe(0)
    expect(server.stderr()).not.toContain('"level":50')
  }
  const events = await ask(['events'], given)
  const perStream = Map.groupBy(events, ({ stream }) => stream)
  for (const [stream, life] of perStream) {
    expect(
      life.map(({ revision }) => Number(revision)),
      stream,
    ).toEqual(life.map((_, i) => i))
    if (stream.startsWith('fixity-')) expect(life.filter(isRecording), stream).toHaveLength(1)
  }
  expect(events.filter(isRecording)).toHaveLength(paths.length + 1000)
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  expect(
    (await ask(['rebuild', '--all', '--verify'], given)).every(({ verdict }) => verdict === 'equal'),
  ).toBe(true)
})

const isRecording = ({ type }: Line): boolean => type === 'ContentRecorded'

it('who writes through one server sees it at once through the other', async () => {
  const { home } = useFolder()
  const [one, other] = await Promise.all([startServer({ home }), startServer({ home })])
  for (let i = 0; i < 20; i++) {
    const store = `store-${i}`
    const [writer, reader] = i % 2 ? [one, other] : [other, one]
    const told = await fetch(`${writer.address}/api/v1/commands/fixity.register-store`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: { store, kind: 'external' }, actor: 'r.vermeer', reason: 'a test' }),
    })
    const { position } = (await told.json()) as Line
    const asked = await fetch(
      `${reader.address}/api/v1/views/fixity-stores?where=store=${store}&after=${position}`,
    )
    expect(((await asked.json()) as Line).rows).toMatchObject([{ store }])
  }
  expect(await Promise.all([stop(one), stop(other)])).toEqual([0, 0])
})

it('one that is killed leaves what it has compiled to the next', async () => {
  const { folder, home } = useFolder()
  const cache = join(folder, 'cache')
  const { child, says, exit } = await startServer({ home, env: { NODE_COMPILE_CACHE: cache } })
  await says('Ctrl-C stops')
  child.kill('SIGKILL')
  await exit
  // A file for each module, in a folder for the version of Node.
  const kept = readdirSync(cache, { recursive: true })
  expect(kept.length).toBeGreaterThan(1000)
})
