import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import type { System } from '../../src/app/system.ts'
import { isLeaderEvent } from '../../src/domain/kernel/leader-lease.ts'
import { writeContent } from './archive.ts'
import { openHome } from './open-home.ts'
import {
  addsUp,
  type Given,
  run as runApart,
  start,
  startServer,
  stop,
  until,
  useFolder,
} from './run-fonds.ts'
import { ask } from './run-here.ts'

/* An older copy of fonds.db is put back beside views that are further, by people with a shell. */

const roles = ['--roles', 'api,processors,reactions,projections,workers,relay']

const records = (...ids: readonly string[]): string =>
  ids
    .map((id) => ({
      id,
      source: 'library',
      sourceVersion: 1,
      sourceModifiedAt: '2021-01-01T00:00:00Z',
      state: 'visible',
      links: [{ to: 'hub', reason: 'same as' }],
    }))
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('')

/** Files and records come, and all that follows from them is done. */
const work = async (given: Given & { readonly root: string }, name: string) => {
  for (const part of ['a', 'b', 'c']) writeContent(given.root, `${name}/${part}.txt`, `${name} ${part}`)
  await ask(['fixity', 'add', given.root, '--store', 'main'], given)
  const by = ['--actor', 'ada', '--reason', 'a test']
  await ask(['do', 'fixity.check-store', 'store=main', ...by], given)
  await ask(['produce', 'fonds.matching.works', '--wait'], {
    ...given,
    stdin: records(`${name} 1`, `${name} 2`),
  })
  await until(`all of ${name} is verified`, async () => {
    const items = await ask(['query', 'fixity-items', '--limit', '1000'], given)
    return items.length > 0 && items.every(({ state }) => state === 'baselined')
  })
}

const inside = async <A>(home: string, look: (system: System) => Promise<A>): Promise<A> => {
  const system = await openHome(home)
  try {
    return await look(system)
  } finally {
    await system.close()
  }
}
const factsIn = async ({ eventStore }: System) => {
  const read = await eventStore.readAll(-1n, {}, 1_000_000)()
  if (isLeft(read)) throw new Error(read.left.reason)
  return read.right.events.filter((event) => !isLeaderEvent(event))
}
const relayedIn = async ({ broker }: System): Promise<readonly string[]> => {
  const topics = await broker.topics()()
  if (isLeft(topics)) throw new Error('the topics cannot be read')
  const ids: string[] = []
  for (const { name, offsets } of topics.right.filter(({ name }) => name.endsWith('.events')))
    for (const { partition } of offsets) {
      const peeked = await broker.peek(name, partition, 0n, 1_000_000)()
      if (isLeft(peeked)) throw new Error('the records cannot be read')
      ids.push(...peeked.right.map(({ headers }) => headers.ce_id!))
    }
  return ids
}

/** Views are those of the log, and each event was seen to once. */
const expectSound = async (given: Given) => {
  const verdicts = await ask(['rebuild', '--all', '--verify'], given)
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(verdicts.map(() => 'equal'))
  expect(await ask(['matching', 'verify'], given)).toMatchObject([{ differences: 0 }])
  expect((await ask(['fixity', 'report'], given)).every(addsUp)).toBe(true)
  await inside(given.home, async (system) => {
    const facts = await factsIn(system)
    for (const [stream, life] of Map.groupBy(facts, (event) => event.stream)) {
      const effects = life.map(({ type, metadata, data }) =>
        JSON.stringify([type, metadata.causationId, type === 'GraphChanged' ? data : '']),
      )
      expect(new Set(effects).size, stream).toBe(effects.length)
    }
    expect((await relayedIn(system)).toSorted()).toEqual(facts.map(({ id }) => id).toSorted())
  })
}

const database = (home: string, rest = '') => join(home, `fonds.db${rest}`)

it.each([
  ['as it was at rest', false],
  ['with its -wal, as a kill left them', true],
])(
  'a copy of the log put back %s: what comes is seen to, and queries and rebuild tell the truth',
  async (_, killed) => {
    const { folder, home, root } = useFolder()
    const given = { home, root }
    const copies: (readonly [string, string])[] = []
    const first = await startServer(given, roles)
    await work(given, 'kept')
    if (killed) first.child.kill('SIGKILL')
    else await stop(first)
    await first.exit
    for (const rest of ['', '-wal']) {
      if (!existsSync(database(home, rest))) continue
      const copy = join(folder, `copy${rest}`)
      copyFileSync(database(home, rest), copy)
      copies.push([copy, rest])
    }
    expect(copies).toHaveLength(killed ? 2 : 1)

    const second = await startServer(given, roles)
    await work(given, 'lost')
    expect(await stop(second)).toBe(0)
    for (const rest of ['', '-wal', '-shm']) rmSync(database(home, rest), { force: true })
    for (const [copy, rest] of copies) copyFileSync(copy, database(home, rest))
    rmSync(join(root, 'lost'), { recursive: true })

    // Nothing runs: each command finds it by itself.
    const shown = await runApart(['query', 'matching-merged', '--columns', 'work'], given)
    expect(shown.stdout).not.toContain('lost')
    expect(shown.stdout).toContain('kept 1')
    expect(shown.stderr).toContain('restored from an older copy')
    await ask(['rebuild', '--all', '--verify'], given)

    const third = await startServer(given, roles)
    await work(given, 'new')
    expect(await stop(third), third.stderr()).toBe(0)
    expect(third.stderr()).not.toContain('"level":50')
    await expectSound(given)
  },
)

it('a log that has grown past the old positions, beside the views of a machine that was not there meanwhile', async () => {
  const { folder, home, root } = useFolder()
  const given = { home, root }
  const first = await startServer(given, roles)
  await work(given, 'kept')
  expect(await stop(first)).toBe(0)
  copyFileSync(database(home), join(folder, 'copy'))
  const second = await startServer(given, roles)
  await work(given, 'lost')
  expect(await stop(second)).toBe(0)
  const views = ['views.db', 'views.db-wal', 'views.db-shm'].map((name) => join(home, name))
  copyFileSync(views[0]!, join(folder, 'views'))
  const lost = await inside(home, factsIn)

  for (const rest of ['', '-wal', '-shm']) rmSync(database(home, rest), { force: true })
  copyFileSync(join(folder, 'copy'), database(home))
  for (const file of views) rmSync(file, { force: true })
  rmSync(join(root, 'lost'), { recursive: true })
  const other = await startServer(given, roles)
  await work(given, 'other')
  await work(given, 'more')
  expect(await stop(other)).toBe(0)
  const now = await inside(home, factsIn)
  expect(now.at(-1)!.position > lost.at(-1)!.position).toBe(true)

  for (const file of views) rmSync(file, { force: true })
  copyFileSync(join(folder, 'views'), views[0]!)
  const third = start(['start', '--port', '0', ...roles], given)
  await third.says('restored from an older copy')
  await third.says(/Fonds is at/)
  await work(given, 'new')
  expect(await stop(third), third.stderr()).toBe(0)
  await expectSound(given)
})
