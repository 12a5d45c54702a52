import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sealStreams } from '#src/app/proof/streams/daily-stream-seals.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { sealAll, sealIn } from '../app/proof/sealer.ts'
import { proofLogIn } from '../app/proof/tree-of-log.ts'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds()
const seal = () => fonds.withSystem(({ eventStore }) => sealAll(fonds.home, eventStore))

/** As the sealer does once a day. */
const state = (leaves?: readonly (readonly [string, number])[]) =>
  fonds.withSystem(async (system) => {
    const { place, all, close } = proofLogIn(fonds.home).committedHeads()!
    await sealStreams(system, { place, all: () => leaves ?? all() }, new AbortController().signal)
    close()
  })

test('Q31: a thing of long ago rests on what was stated of its stream; --whole has all entries', async () => {
  const others = Array.from({ length: 600 }, (_, n) => recorded(`b${n}`, n))
  await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('a', 1)) })
  await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(...others) })
  await seal()
  await state()
  await seal()
  const of = ['proof', 'of', 'main/a', '--all', '--output']
  const [short, whole] = [join(fonds.folder, 'short'), join(fonds.folder, 'whole')]
  const shown = await fonds.run([...of, short], { terminal: 400 })
  expect(shown).toMatchObject({ code: 0 })
  expect(shown.out).toContain('has 1 event of fixity-main/a, each proven to be among the 602 leaves')
  expect(shown.out).toContain('90 entries from leaf 512 on show that there are no more behind it')
  expect(shown.out).toContain(
    "That there are no more before it, leaf 601 states: the archive's own word on its first 601 leaves",
  )
  expect(shown.out).not.toContain('and no other')
  expect(await fonds.run([...of, whole, '--whole'])).toMatchObject({ code: 0, rows: [{ rest: 602 }] })
  const policy = fonds.file('archive.policy', (await fonds.run(['proof', 'key', '--policy'])).out)
  for (const [folder, sentence] of [
    [short, /no other when 602 leaves were signed, if what leaf 601 states of the first 601 is right$/],
    [whole, /no other when 602 leaves were signed$/],
  ] as const) {
    const { code, rows } = await fonds.run(['proof', 'verify', folder, '--policy', policy])
    expect(code).toBe(0)
    expect(rows.map((row) => row.sentence)).toContainEqual(expect.stringMatching(sentence))
  }
  expect(await fonds.run(['proof', 'check'])).toMatchObject({ code: 0 })

  await state([['fixity-main/a', 3]])
  await seal()
  expect(await fonds.run(['proof', 'check'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /revision 1 of proof-streams states that the first 602 leaves are of 1 streams/,
    ),
  })
  expect(await fonds.run([...of, join(fonds.folder, 'again')])).toMatchObject({
    code: 1,
    err: expect.stringContaining('leaf 602 states that leaf 3 was the last of fixity-main/a among 602'),
  })
  expect(await fonds.run([...of, join(fonds.folder, 'again'), '--whole'])).toMatchObject({ code: 0 })
})

const by = ['--actor', 'ada', '--reason', 'a donor asks tomorrow']

test('proof.seal-streams states what is sealed, beside a process that seals', async () => {
  await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('a', 1), recorded('b', 2)) })
  const none = await fonds.run(['do', 'proof.seal-streams', ...by])
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('no Merkle tree')])
  await seal()
  await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('c', 3)) })
  await fonds.withSystem(async ({ eventStore }) => {
    const size = (await proofLogIn(fonds.home).head())!.text.split('\n')[1]
    const sealing = await sealIn(fonds.home, eventStore)
    await sealing.add(await orThrow(eventStore.readStored(sealing.position, {}, 100)))
    expect(sealing.size).toBeGreaterThan(sealing.published.size)
    expect(await fonds.run(['do', 'proof.seal-streams', ...by])).toMatchObject({ code: 0 })
    sealing.close()
    expect((await fonds.run(['events', '--type', 'StreamsSealed'])).rows).toMatchObject([
      { data: { size, reason: 'a donor asks tomorrow' }, metadata: { actor: 'ada' } },
    ])
  })
  await seal()
  expect(await fonds.run(['proof', 'check'])).toMatchObject({ code: 0 })
})

test('proof.seal-streams states nothing of a tree whose head was put back', async () => {
  await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('a', 1)) })
  await seal()
  const file = join(fonds.home, 'proof', 'checkpoint')
  const before = readFileSync(file)
  await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('b', 2)) })
  await seal()
  for (const text of [before, 'nonsense']) {
    writeFileSync(file, text)
    expect(await fonds.run(['do', 'proof.seal-streams', ...by])).toMatchObject({ code: 1 })
  }
  expect((await fonds.run(['events', '--type', 'StreamsSealed'])).rows).toEqual([])
})

test('--whole is of a thing', async () => {
  for (const argv of [
    ['of', 'main/a', '--whole'],
    ['export', join(fonds.folder, 'x'), '--whole'],
  ])
    expect(await fonds.run(['proof', ...argv])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--whole without'),
    })
})
