import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isLeft } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ensureTopics } from '../../src/app/topics.ts'
import { contentTopic } from '../../src/domain/fixity/messages.ts'
import { writeMessage } from '../../src/domain/kernel/cloud-event.ts'
import { openHome } from '../e2e/open-home.ts'
import { launch, until, useFolder } from '../e2e/run-fonds.ts'
import { limits } from '../patience.ts'
import { server } from './servers.ts'

const kafka = server('kafka')
const brokers = 'absent' in kafka ? '' : kafka.address
const bug = `--import=${pathToFileURL(join(import.meta.dirname, '../e2e/kill-on-message.mjs'))}`

const recorded = (path: string) =>
  writeMessage(
    {
      id: path,
      source: 'urn:test',
      type: 'content.recorded',
      time: '2026-01-01T00:00:00.000Z',
      data: { store: 'main', path, checksums: [{ algorithm: 'md5', value: 'a'.repeat(32) }] },
    },
    contentTopic,
  )

describe.skipIf('absent' in kafka)('a message that kills its process, on a real Kafka', () => {
  it('is known to the processes of its home, and set aside; the others go on', limits, async () => {
    const { home } = useFolder()
    const settings = { broker: `kafka://${brokers}`, topicPrefix: `${uuid()}-`, partitions: 1, maxDeaths: 2 }
    const system = await openHome(home, settings)
    onTestFinished(() => system.close())
    await ensureTopics(system)
    const placed = await system.broker.produce(['one', 'kills', 'two'].map(recorded))()
    if (isLeft(placed)) throw new Error(JSON.stringify(placed.left))
    const node = () =>
      launch(
        process.execPath,
        [
          '--disable-warning=TimeoutNegativeWarning',
          join(import.meta.dirname, 'nodes/node.ts'),
          home,
          JSON.stringify({ ...settings, logLevel: 'warn' }),
          'processors,projections',
        ],
        { NODE_OPTIONS: bug },
      )

    // Once among the others, then twice by itself.
    for (let death = 1; death <= 3; death++) {
      const { child, exit, stderr } = node()
      await exit
      expect(child.signalCode, stderr()).toBe('SIGKILL')
    }
    const living = node()
    const rows = (view: string) => (system.viewStore.shape(view) ? system.viewStore.query(view, {}) : [])
    await until('the others are handled', () => rows('fixity-items').length === 2)
    await until('it is set aside', () => rows('dead-letters').length === 1)
    expect(rows('dead-letters')).toMatchObject([{ reason: 'kills-process', offset: '1' }])
    expect(living.child.signalCode).toBeNull()
  })
})
