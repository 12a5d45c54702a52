import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { endOf, orThrow } from '../../../contracts/broker/fixture.ts'
import { brokerFile, fill, group, groupOf, type Opened, ownersOf, topic, until } from './fixture.ts'

const sessionMillis = 1500
const partitions = 4
const total = 400

let file: ReturnType<typeof brokerFile>
let opened: Opened
let child: ChildProcess
beforeEach(async () => {
  file = brokerFile()
  opened = file.open({ sessionMillis })
  await orThrow(opened.broker.ensureTopics([{ name: topic, partitions }]))
  await fill(opened, total)
})
afterEach(async () => {
  child.kill('SIGKILL')
  await file.remove()
})

it('a process killed in the middle of its batches is replaced: every record is handled, a committed one never again', async () => {
  const program = join(import.meta.dirname, 'killed-consumer.ts')
  child = spawn(process.execPath, [program, file.file, group, topic, String(sessionMillis)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  let output = ''
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const stuck = () => output.split('\n').filter((line) => line === 'stuck')
  // Each partition has one batch committed, and one under way.
  await until(async () => expect(stuck()).toHaveLength(partitions))
  await until(async () =>
    expect((await groupOf(opened)).partitions.map((one) => one.committed)).toEqual([10n, 10n, 10n, 10n]),
  )
  const [victim] = await ownersOf(opened)

  const handled: string[] = []
  const successor = await opened.broker.consume({ group, topics: [topic] }, async (batch) => {
    for (const one of batch.records) handled.push(`${one.partition}@${one.offset}`)
    return endOf(batch)
  })
  await until(async () => expect((await groupOf(opened)).members).toHaveLength(2))
  expect(await ownersOf(opened)).toEqual(Array(partitions).fill(victim))
  expect(handled).toEqual([])

  child.kill('SIGKILL')
  await exit
  const said = output.trim().split('\n')
  const handledByVictim = said.filter((line) => line !== 'stuck')

  await until(async () => {
    const { partitions: now } = await groupOf(opened)
    expect(now.map((one) => one.lag)).toEqual([0n, 0n, 0n, 0n])
  })
  expect(await ownersOf(opened)).toEqual(Array(partitions).fill(successor.member))
  expect(new Set([...handledByVictim, ...handled]).size).toBe(total)
  const offsets = handled.map((place) => Number(place.split('@')[1]))
  expect(Math.min(...offsets)).toBe(10)
  // Half of each batch under way was handled twice, and nothing else.
  expect(handledByVictim.filter((place) => handled.includes(place))).toHaveLength(partitions * 5)
  await successor.stop()
})
