import { expect, it } from 'vitest'
import type { ArchiveFile } from '#src/domain/indexing/file.ts'
import { fileStream } from '#src/domain/indexing/file.ts'
import { withdrawals } from '#src/processors/indexing/withdrawals.ts'
import { indexingWorld, named } from './world.ts'

const setUp = async () => {
  const world = indexingWorld()
  const gone: ArchiveFile[] = []
  const { handle } = withdrawals(world, async (file) => void gone.push(file))
  const events = async (...names: readonly string[]) =>
    (await Promise.all(names.map((name) => world.eventsOf(fileStream(named(name))))))
      .flat()
      .filter(({ type }) => type === 'FileWithdrawn')
  const run = async (isLeader: () => boolean, ...names: readonly string[]) =>
    handle(
      { events: await events(...names), position: 9n, caughtUp: true },
      isLeader,
      new AbortController().signal,
    )
  for (const name of ['a.warc', 'b.warc']) {
    await world.sight(name)
    await world.on(named(name), { type: 'Withdraw' })
  }
  return { world, gone, run }
}

it('the lines of a withdrawn file go, but for those of one that came back', async () => {
  const { world, gone, run } = await setUp()
  await world.on(named('b.warc'), { type: 'Reset', reason: 'a mistake' })
  expect(await run(() => true, 'a.warc', 'b.warc')).toBe(true)
  expect(gone).toEqual([named('a.warc')])
})

it('nothing is done by who leads no longer', async () => {
  const { gone, run } = await setUp()
  expect(await run(() => false, 'a.warc')).toBe(false)
  expect(gone).toEqual([])
})
