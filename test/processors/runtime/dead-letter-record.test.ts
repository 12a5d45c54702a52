import fc from 'fast-check'
import { left } from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import { type DeadLetter, deadLetterEvents } from '../../../src/domain/kernel/dead-letter.ts'
import type { BrokerRecord } from '../../../src/ports/broker.ts'
import { deadLetterRecord } from '../../../src/processors/runtime/dead-letter-record.ts'
import type { Execute } from '../../../src/processors/runtime/execute.ts'
import { runs } from '../../runs.ts'
import { eventsOf, lettersIn, streamOf, summaryOf, useFolder } from './log.ts'
import { order, spoilt, startProcess } from './world.ts'

const { openLog } = useFolder()

/** UTF-16 units in any order, so that halves of surrogate pairs stand alone. */
const anyText = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.tuple(fc.nat(3), fc.integer({ min: 20, max: 600 })).map(([x, n]) => 'x'.repeat(x) + '𝄞'.repeat(n)),
  fc.constantFrom('', '\ud834', '__proto__', 'constructor'),
)
const anyBytes = fc.uint8Array({ maxLength: 40 })
const anyJson = fc
  .tuple(anyText, fc.oneof(anyText, fc.dictionary(anyText, anyText), fc.constant(1)))
  .map(([name, value]) => JSON.stringify({ account: 'a', [name]: value, amount: value }))
const goodHeaders = order(0, 'deposit', 'a', 1).headers

/** A record in which any text may stand anywhere, and the bytes behind it where they are no text. */
const anyRecord: fc.Arbitrary<Partial<BrokerRecord>> = fc.record(
  {
    key: fc.option(anyText),
    headers: fc
      .dictionary(fc.oneof(anyText, fc.constantFrom(...Object.keys(goodHeaders))), anyText)
      .map((some) => ({ ...goodHeaders, ...some })),
    value: fc.oneof(anyText, anyBytes, anyJson),
    raw: fc.record({
      key: fc.option(anyBytes),
      headers: fc.array(fc.record({ name: anyText, value: anyBytes })),
    }),
  },
  { requiredKeys: [] },
)

describe('whatever a record holds', () => {
  test('it stops nobody: it is used or kept, and what is kept can be read', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(anyRecord, async (change) => {
        const store = openLog({}, `${++run}.db`)
        const { deliver } = startProcess(store)
        expect(await deliver([spoilt(0, change), order(1, 'deposit', 'b', 5)])).toBe(2n)
        expect(summaryOf(await streamOf(store, 'account-b'))).toEqual(['Deposited 5'])
        for (const event of await eventsOf(store, { categories: ['deadletter'] })) {
          expect(deadLetterEvents.read(event)._tag).toBe('Right')
          const { message, path } = event.data as DeadLetter
          expect(message.isWellFormed() && (path ?? '').isWellFormed()).toBe(true)
        }
        await store.close()
      }),
      { numRuns: runs(200) },
    )
  })

  test('key and headers that are no text are kept in base64 beside what can be read of them', async () => {
    const store = openLog()
    const raw = { key: Uint8Array.of(0xff, 0x61), headers: [{ name: 'a', value: Uint8Array.of(0xfe) }] }
    const shown = { key: '\ufffda', headers: { a: '\ufffd' }, value: '{' }
    await startProcess(store).deliver([spoilt(0, { ...shown, raw })])
    expect(await lettersIn(store)).toMatchObject([
      { ...shown, encoding: 'text', raw: { key: '/2E=', headers: [{ name: 'a', value: '/g==' }] } },
    ])
  })

  test('one that takes less room as bytes is kept so', async () => {
    const store = openLog({ maxAppendSize: 4000 })
    const value = '\u0001'.repeat(1200)
    const headers = { a: 'b' }
    await startProcess(store).deliver([spoilt(0, { value, headers })])
    const [letter] = await lettersIn(store)
    expect(letter).toMatchObject({ key: 'a', headers: {}, encoding: 'base64' })
    expect(letter?.raw).toEqual({ key: 'YQ==', headers: [{ name: 'a', value: 'Yg==' }] })
    expect(Buffer.from(letter!.value, 'base64').toString()).toBe(value)
  })
})

describe('a letter that cannot be written', () => {
  const fault = { reason: 'wrong-shape' as const, message: 'is wrong' }
  const deadLetter = async (execute: Execute, store: ReturnType<typeof openLog>) => {
    const { deps } = startProcess(store)
    await deadLetterRecord({ ...deps, execute }, 'p', spoilt(7, { value: 'x' }), fault)
    return lettersIn(store)
  }
  /** An `execute` that breaks down on some letters, as a log that refuses them would. */
  const refusing = (store: ReturnType<typeof openLog>, isRefused: (letter: DeadLetter) => boolean) => {
    const { deps } = startProcess(store)
    return ((decider, envelope) => {
      const { letter } = envelope.command as unknown as { readonly letter: DeadLetter }
      if (isRefused(letter)) throw new TypeError('this cannot be read back')
      return deps.execute(decider, envelope)
    }) as Execute
  }

  test('as text: it is kept as bytes', async () => {
    const store = openLog()
    expect(
      await deadLetter(
        refusing(store, ({ encoding }) => encoding === 'text'),
        store,
      ),
    ).toMatchObject([{ offset: '7', value: 'eA==', encoding: 'base64', message: 'is wrong' }])
  })

  test('as bytes either: place and reason are kept', async () => {
    const store = openLog()
    expect(
      await deadLetter(
        refusing(store, ({ encoding }) => encoding !== 'none'),
        store,
      ),
    ).toMatchObject([{ partition: 0, offset: '7', value: '', encoding: 'none', reason: 'wrong-shape' }])
  })

  test('because the log is away: thrown, so that it is tried again', async () => {
    const store = openLog()
    const away: Execute = async () => left({ kind: 'Unavailable', reason: 'no disk' })
    await expect(deadLetter(away, store)).rejects.toThrow(UnavailableError)
  })

  test('because its stream was deleted for good: it is passed over', async () => {
    const store = openLog()
    const bad = [spoilt(0, { value: '' }), order(1, 'deposit', 'b', 5)]
    await startProcess(store).deliver(bad)
    const [event] = await eventsOf(store, { categories: ['deadletter'] })
    await store.deleteStream(event!.stream, 'any', 'tombstone')()
    expect(await startProcess(store).deliver(bad)).toBe(2n)
  })
})

describe('a refusal that cannot be kept', () => {
  test('makes its message a dead letter', async () => {
    const store = openLog()
    const { deps } = startProcess(store)
    const execute: Execute = async (decider, envelope) =>
      envelope.stream.startsWith('refusal-')
        ? left({ kind: 'TooLarge', bytes: 9, limit: 8 })
        : deps.execute(decider, envelope)
    const { deliver } = startProcess(store, undefined, undefined, { execute })
    expect(await deliver([order(0, 'withdraw', 'a', 5)])).toBe(1n)
    expect(await lettersIn(store)).toMatchObject([{ offset: '0', reason: 'too-large' }])
  })
})
