import { dirname } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { BrokerRecord } from '../../../../src/ports/broker.ts'
import { orThrow } from '../../../contracts/broker/fixture.ts'
import { random } from '../../../e2e/crash/expectations.ts'
import { manualClock } from '../../../fakes/manual-clock.ts'
import { filesWith } from '../../../files-with.ts'
import { brokerFile, topic } from './fixture.ts'

/* Q45: records are overwritten where they are, and no page of the file has what they were. */

let file: ReturnType<typeof brokerFile>
beforeEach(() => {
  file = brokerFile()
})
afterEach(() => file.remove())

const secret = 'Ada Brandt of Ghent'
const day = 24 * 3600 * 1000

const hidden = (text: string): string => text.replaceAll(secret, 'personal:'.padEnd(75, 'x'))
const hiding = async (records: readonly BrokerRecord[]) =>
  records.map(({ key, headers, value }) => {
    const text = typeof value === 'string' ? value : Buffer.from(value).toString('latin1')
    if (![key ?? '', JSON.stringify(headers), text].some((one) => one.includes(secret))) return undefined
    return {
      key: key && hidden(key),
      headers: Object.fromEntries(Object.entries(headers).map(([name, one]) => [name, hidden(one)])),
      value: typeof value === 'string' ? hidden(value) : Buffer.from(hidden(text), 'latin1'),
    }
  })

const peek = ({ broker }: ReturnType<ReturnType<typeof brokerFile>['open']>) =>
  orThrow(broker.peek(topic, 0, 0n, 10_000))

it('keeps their offsets and times; the others stay as they are', async () => {
  const opened = file.open()
  await orThrow(opened.broker.ensureTopics([{ name: topic, partitions: 1 }]))
  await orThrow(
    opened.broker.produce([
      { topic, key: 'a', headers: { h: 'x' }, value: 'nothing' },
      { topic, key: secret, headers: { h: secret }, value: `{"by":"${secret}"}` },
      { topic, key: null, headers: {}, value: Buffer.from([0xff, ...Buffer.from(secret)]) },
    ]),
  )
  const before = await peek(opened)
  expect(await orThrow(opened.broker.overwrite!(hiding))).toBe(2)
  const after = await peek(opened)
  expect(after[0]).toEqual(before[0])
  expect(after.map(({ offset, timestamp }) => [offset, timestamp])).toEqual(
    before.map(({ offset, timestamp }) => [offset, timestamp]),
  )
  expect(after[1]).toMatchObject({ key: hidden(secret), headers: { h: hidden(secret) } })
  expect(Buffer.from(after[2]!.value).subarray(1).toString()).toBe(hidden(secret))
  expect(await orThrow(opened.broker.overwrite!(hiding))).toBe(0)
  expect(filesWith(dirname(file.file), secret)).toEqual([])
})

it.each([1, 2, 3, 4, 5, 6])(
  'no page has them, whatever their sizes, also of those that were dropped (%i)',
  async (seed) => {
    const chance = random(seed)
    const clock = manualClock()
    const opened = file.open({ clock, sweepMillis: 1e12, mustOverwrite: () => true })
    await orThrow(opened.broker.ensureTopics([{ name: topic, partitions: 1, retentionMillis: day }]))
    const some = () =>
      Array.from({ length: 400 }, () => {
        const filler = 'f'.repeat(Math.floor(chance() ** 4 * 9000))
        const text = chance() < 0.6 ? secret : 'nobody at all in it'
        return { topic, key: chance() < 0.3 ? text : 'k', headers: {}, value: `${filler}${text}${filler}` }
      })
    await orThrow(opened.broker.produce(some()))
    clock.advance(2 * day)
    await orThrow(opened.broker.produce(some()))
    expect(await opened.broker.sweep()).toBe(400)
    await orThrow(opened.broker.produce(some()))
    // Another process has it open, and read from it.
    const other = file.open()
    await peek(other)
    expect(await orThrow(opened.broker.overwrite!(hiding))).toBeGreaterThan(300)
    expect(filesWith(dirname(file.file), secret)).toEqual([])
    expect(await peek(other)).toHaveLength(800)
  },
)
