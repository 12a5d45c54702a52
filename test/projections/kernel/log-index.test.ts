import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import { causeOf } from '#src/domain/kernel/message.ts'
import { blockSize, logIndex } from '#src/projections/kernel/log-index.ts'
import { type Block, blocksOfMessage, blocksOfTypes } from '#src/projections/kernel/questions/log-places.ts'
import { folding } from '../folding.ts'

const { open, foldAll } = folding(logIndex)

interface Said {
  readonly type: string
  readonly cause: string
  readonly stream?: string
}

const logOf = (said: readonly Said[]): readonly RecordedEvent[] =>
  said.map(({ type, cause, stream = 'thing-1' }, i) => ({
    id: `${i}`,
    type,
    stream,
    revision: BigInt(i),
    // Positions have gaps, as those of a server do.
    position: BigInt(i * 3 + 1),
    recordedAt: '2026-01-01T00:00:00.000Z',
    data: {},
    metadata: { actor: 'a', causationId: cause, correlationId: 'c', schema: 1 },
  }))

const cause = (id: string) => causeOf({ source: '/a#b', id })

const foldedFrom = (log: readonly RecordedEvent[], batch = 1000) => {
  const { viewStore, generation } = open()
  foldAll(viewStore, generation, log, batch)
  const folded = viewStore.checkpoint(generation).position
  const ofMessage = async (id: string): Promise<readonly Block[]> => {
    const found: Block[] = []
    for await (const block of blocksOfMessage(viewStore, id, folded)) found.push(block)
    return found
  }
  return { viewStore, ofMessage }
}

const isIn = (log: readonly RecordedEvent[], { after, until }: Block) =>
  log.filter(({ position }) => position > after && position <= until)

const oneOf = (...texts: readonly string[]) => fc.constantFrom(...texts)

it('every event of a type and of a message is in the blocks that are named, whatever the log and its batches', async () => {
  const said = fc.record({ type: oneOf('A', 'B', 'Rare'), cause: oneOf('1', '2', 'a#b', '').map(cause) })
  const stretch = fc.tuple(said, fc.integer({ min: 1, max: 700 }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(stretch, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 900 }),
      fc.nat(4000),
      async (stretches, batch, from) => {
        const log = logOf(stretches.flatMap(([each, times]) => Array.from({ length: times }, () => each)))
        const { viewStore, ofMessage } = foldedFrom(log, batch)
        for (const id of ['1', '2', 'a#b', '']) {
          const wanted = log.filter(({ metadata }) => metadata.causationId === cause(id))
          const found = (await ofMessage(id)).flatMap((block) => isIn(log, block))
          expect(wanted.every((event) => found.includes(event))).toBe(true)
        }
        for (const types of [['A'], ['Rare', 'B'], ['Nope']]) {
          const isWanted = ({ type }: RecordedEvent) => types.includes(type)
          const blocks = blocksOfTypes(viewStore, types, BigInt(from), 1000)
          const counted = blocks.reduce((sum, { count }) => sum + count, 0)
          const start = blocks[0]?.after ?? 0n
          expect(counted).toBe(
            blocks.length === 0 ? 0 : log.filter(isWanted).filter(({ position }) => position > start).length,
          )
          for (const event of log.filter(isWanted))
            if (event.position > BigInt(from))
              expect(blocks.some(({ after }) => after < event.position)).toBe(true)
        }
        // The rows are those of one fold of all.
        const once = foldedFrom(log, log.length).viewStore
        for (const { name } of logIndex.views) expect(viewStore.query(name, {})).toEqual(once.query(name, {}))
      },
    ),
    { numRuns: 25 },
  )
})

it('of a long log few blocks are named for a message, and none for most that it never heard of', async () => {
  const log = logOf(Array.from({ length: 40 * blockSize }, (_, i) => ({ type: 'A', cause: cause(`m${i}`) })))
  const { ofMessage, viewStore } = foldedFrom(log, 10_000)
  expect(viewStore.query('log-blocks', {})).toHaveLength(40)
  const named = await ofMessage('m12345')
  expect(named.flatMap((block) => isIn(log, block)).map(({ id }) => id)).toContain('12345')
  let inVain = named.length - 1
  for (let i = 0; i < 100; i++) inVain += (await ofMessage(`unknown ${i}`)).length
  // Of 4,000 looks at a block, 0.12 are to be expected to be in vain.
  expect(inVain).toBeLessThan(10)
})

it('what the log forgets leaves no trace: a fold of the rest gives the same rows', () => {
  const duty = { type: 'DutyExtended', cause: 'x', stream: 'duty-reactions' }
  const said = Array.from({ length: 1500 }, (_, i) =>
    i % 3 === 0 ? duty : { type: 'A', cause: cause(`m${i}`) },
  )
  const log = logOf(said)
  const whole = foldedFrom(log).viewStore
  const rest = foldedFrom(log.filter(({ type }) => type === 'A')).viewStore
  for (const { name } of logIndex.views) expect(whole.query(name, {})).toEqual(rest.query(name, {}))
})
