import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batchOf, bytesOf, changer, emptyFolder, openTestIndex, scanned, sortedUnique } from './lines.ts'

const eager = { runsPerLevel: 2, maxInputs: 3, graceMillis: 0 }

describe('any sequence of changes', () => {
  const anyFile = fc.constantFrom('a', 'b', 'c', 'd')
  const anyLines = fc.array(
    fc.tuple(fc.constantFrom('com,x)/', 'org,y)/'), fc.nat(12)).map(([key, n]) => `${key} ${n}`),
    { maxLength: 8 },
  )
  const anyStep = fc.oneof(
    fc.record({ kind: fc.constant('publish' as const), file: anyFile, lines: anyLines }),
    fc.record({ kind: fc.constant('withdraw' as const), file: anyFile }),
    fc.record({ kind: fc.constant('merge' as const), all: fc.boolean() }),
    fc.record({ kind: fc.constant('reopen' as const) }),
    fc.record({ kind: fc.constant('repeat' as const) }),
  )

  it('indexing W18, W26, W33 and W34: the lines are those of the files that hold, each once, at every position', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { maxLength: 14 }),
        fc.constantFrom(200, 2 ** 40),
        async (steps, frozenBytes) => {
          const folder = emptyFolder()
          const open = () => openTestIndex(folder, { ...eager, frozenBytes })
          let index = open()
          const files = new Map<string, readonly string[]>()
          const past: (readonly string[])[] = [[]]
          let last: Parameters<typeof index.change>[0] = []
          for (const step of steps) {
            const position = BigInt(past.length)
            switch (step.kind) {
              case 'publish': {
                const run = await index.write([batchOf(step.lines)])
                last = [{ kind: 'publish', file: step.file, run, position }]
                expect(await index.change(last)).toEqual([])
                files.set(step.file, step.lines)
                past.push(sortedUnique([...files.values()].flat()))
                break
              }
              case 'withdraw':
                last = [{ kind: 'withdraw', file: step.file, position }]
                await index.change(last)
                files.delete(step.file)
                past.push(sortedUnique([...files.values()].flat()))
                break
              case 'merge':
                await index.mergeDue({ all: step.all })
                break
              case 'repeat':
                await index.change(last)
                break
              case 'reopen':
                await index.close()
                writeFileSync(join(folder, 'm-left-by-a-crash.cdx'), 'z half a li')
                index = open()
            }
            expect(await scanned(index)).toEqual(past.at(-1))
            expect(await scanned(index, { backwards: true })).toEqual(past.at(-1)?.toReversed())
          }
          for (const [position, lines] of past.entries())
            expect(await scanned(index, { asOf: BigInt(position) })).toEqual(lines)
          expect(await index.position()).toBe(BigInt(past.length - 1))
          await index.close()
          rmSync(folder, { recursive: true })
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('a scan', () => {
  const long = `b ${'x'.repeat(30_000)}`
  const lines = sortedUnique([
    ...Array.from({ length: 3000 }, (_, i) => `k${i % 700} 2020${i} rest`),
    long,
    `${long}y`,
    'k\u00ff 1',
    'a',
  ])

  it('indexing W27 gives what is from one line up to another, to both sides, over long lines as well', async () => {
    const index = openTestIndex(emptyFolder())
    const { publish } = changer(index)
    for (let i = 0; i < 3; i++)
      await publish(
        `file-${i}`,
        lines.filter((_, at) => at % 3 === i || at % 7 === 0),
      )
    await index.mergeDue({ all: true })
    await publish('later', lines.slice(1000, 1100))
    const bounds = ['', 'a', 'a ', 'b', long, `${long}z`, 'k3', 'k350 20203', 'k\u00ff', 'z']
    for (const from of bounds)
      for (const to of bounds) {
        const wanted = lines.filter(
          (line) =>
            Buffer.compare(bytesOf(line), bytesOf(from)) >= 0 &&
            Buffer.compare(bytesOf(line), bytesOf(to)) < 0,
        )
        const range = { from: bytesOf(from), to: bytesOf(to) }
        expect(await scanned(index, range)).toEqual(wanted)
        expect(await scanned(index, { ...range, backwards: true })).toEqual(wanted.toReversed())
      }
  })

  it('indexing W17 goes on with the runs that it began with, while they are merged and the file is withdrawn', async () => {
    const index = openTestIndex(emptyFolder(), eager)
    const { publish, withdraw } = changer(index)
    await publish('one', lines)
    const seen: string[] = []
    for await (const batch of index.scan({})) {
      if (seen.length === 0) {
        await withdraw('one')
        await publish('two', ['new 1'])
        await index.mergeDue({ all: true })
      }
      seen.push(...batch.map((line) => Buffer.from(line).toString('latin1')))
    }
    expect(seen).toEqual(lines)
    expect(await scanned(index)).toEqual(['new 1'])
  })
})

describe('the closest', () => {
  it.each([
    ['earlier', ['20200101', '20200103', '2021', '2019']],
    ['later', ['20200103', '20200101', '2021', '2019']],
  ] as const)('come first, of two as near the %s one', async (tie, times) => {
    const index = openTestIndex(emptyFolder())
    const { publish } = changer(index)
    const full = (time: string) => time.padEnd(8, '01').padEnd(14, '0')
    await publish('one', [
      'k 19990101000000 x',
      'j 20200102000000',
      ...times.map((time) => `kk ${full(time)} x`),
    ])
    await publish(
      'two',
      times.map((time) => `k ${full(time)} x`),
    )
    const found: string[] = []
    for await (const line of index.closest({ key: bytesOf('k'), time: '20200102', tie }))
      found.push(Buffer.from(line).toString())
    expect(found).toEqual([...times.map((time) => `k ${full(time)} x`), 'k 19990101000000 x'])
  })
})

describe('the writer', () => {
  it('indexing W24 is one at a time', async () => {
    const folder = emptyFolder()
    const first = openTestIndex(folder)
    await changer(first).publish('one', ['a 1'])
    const second = openTestIndex(folder)
    await expect(changer(second, 1n).withdraw('one')).rejects.toThrow(/another process/)
    expect(await scanned(second)).toEqual(['a 1'])
    await first.close()
    await changer(second, 1n).withdraw('one')
    expect(await scanned(second)).toEqual([])
  })

  it('refuses a run that is gone, and one that is another path', async () => {
    const folder = emptyFolder()
    const index = openTestIndex(folder)
    const run = await index.write(['a 1\n'])
    rmSync(join(folder, `${run.name}.cdx`))
    const refused = await index.change([
      { kind: 'publish', file: 'one', run, position: 1n },
      { kind: 'publish', file: 'two', run: { ...run, name: '../x' }, position: 2n },
    ])
    expect(refused.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('is gone'),
      expect.stringContaining('not what a writer'),
    ])
    expect(await index.position()).toBe(2n)
  })

  it('indexing W26 leaves the index as it is where a merge fails, and the next one heals', async () => {
    const folder = emptyFolder()
    const index = openTestIndex(folder, { graceMillis: 0 })
    const { publish } = changer(index)
    for (let i = 0; i < 12; i++) await publish(`file-${i}`, [`k${i} 1`])
    const files = readdirSync(folder)
    const [oldest] = await index.runs()
    const path = join(folder, `${oldest?.name}.cdx`)
    rmSync(path)
    await expect(index.mergeDue()).rejects.toThrow(/cannot be written/)
    writeFileSync(path, 'k0 1\n')
    expect(readdirSync(folder)).toEqual(files)
    expect(await scanned(index)).toHaveLength(12)
    expect(await index.mergeDue()).toMatchObject({ merges: 1 })
    expect(await scanned(index)).toHaveLength(12)
  })

  it('indexing W25 does nothing where nothing is due', async () => {
    const folder = emptyFolder()
    const index = openTestIndex(folder)
    await changer(index).publish('one', ['a 1'])
    const files = readdirSync(folder)
    expect(await index.mergeDue()).toEqual({ merges: 0, bytesWritten: 0 })
    expect(readdirSync(folder)).toEqual(files)
  })
})

describe('a manifest', () => {
  it.each([
    ['another program wrote', () => 'CDX N b a m s k r M S V g\n', /not the manifest of a capture index/],
    ['a later version wrote', () => 'fonds.capture-index 2 00\n{}', /another version/],
    ['was changed', (text: string) => text.replace('"live"', '"l1ve"'), /is damaged/],
    ['was cut', (text: string) => text.slice(0, -1), /is damaged/],
  ])('that %s is refused', async (_, spoil, reason) => {
    const folder = emptyFolder()
    const index = openTestIndex(folder)
    await changer(index).publish('one', ['a 1'])
    const path = join(folder, 'manifest')
    writeFileSync(path, spoil(readFileSync(path, 'utf8')))
    await expect(scanned(index)).rejects.toThrow(reason)
    await index.close()
    await expect(changer(openTestIndex(folder), 1n).withdraw('one')).rejects.toThrow(reason)
  })
})
