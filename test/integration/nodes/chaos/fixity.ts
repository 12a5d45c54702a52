import { expect } from 'vitest'
import type { System } from '../../../../src/app/system.ts'
import { orThrow } from '../../../../src/async/unavailable.ts'
import { writeContent } from '../../../e2e/archive.ts'
import { type Acknowledged, expectEffects, expectOrder } from '../../../e2e/crash/expectations.ts'
import { fileName, messageOf } from '../../../e2e/crash/traffic.ts'
import { registerStores } from '../cluster.ts'
import type { Traffic } from './traffic.ts'

const perFeed = 20

/** Records of files and of what others keep, good ones and bad ones; each file is read. */
export const fixityTraffic = async (system: System, root: string): Promise<Traffic> => {
  await registerStores(system, root)
  const acknowledged: Acknowledged = new Map()
  let sent = 0
  const files = () => Math.ceil(sent / 10)
  return {
    name: 'fixity',
    feed: async () => {
      const numbers = Array.from({ length: perFeed }, (_, i) => sent + i)
      for (const n of numbers) if (n % 10 === 0) writeContent(root, fileName(n / 10), fileName(n / 10))
      const records = numbers.map((n) => messageOf(n, system.clock.now()).record)
      const places = await orThrow(system.broker.produce(records))
      for (const [i, { topic, partition, offset }] of places.entries())
        acknowledged.set(sent + i, new Set([`${topic}/${partition}/${offset}`]))
      sent += perFeed
    },
    acknowledged: () => sent,
    open: (views) => files() - views.query('fixity-items', { where: [ofFolder, isChecked] }).length,
    found: async ({ events }) => {
      const causes = new Map(events.map(({ metadata, type }) => [`${metadata.causationId} ${type}`, 0]))
      for (const { metadata, type } of events) {
        const key = `${metadata.causationId} ${type}`
        causes.set(key, causes.get(key)! + 1)
      }
      const letters = events.flatMap(({ type, data }) => (type === 'DeadLettered' ? [placeOf(data)] : []))
      const found = Array.from({ length: sent }, (_, n) => n).flatMap((n) => {
        const { cause, expected } = messageOf(n)
        const [place] = acknowledged.get(n)!
        const type = expected.kind === 'effect' ? expected.type : 'MessageRejected'
        const times =
          expected.kind === 'dead'
            ? letters.filter((one) => one === place).length
            : (causes.get(`${cause} ${type}`) ?? 0)
        return Array.from({ length: times }, () => `message ${n}`)
      })
      return { wanted: Array.from({ length: sent }, (_, n) => `message ${n}`), found }
    },
    expectSound: async ({ events, views }) => {
      await expectEffects({ viewStore: views }, events, acknowledged, sent)
      expectOrder(events)
      expect(views.query('fixity-items', { where: [ofFolder] })).toHaveLength(files())
    },
  }
}

const ofFolder = { column: 'store', is: '=', value: 'folder' } as const
/** One whose check was killed three times waits for a person, as it must. */
const isChecked = { column: 'state', is: 'in', value: ['verified', 'parked'] } as const

const placeOf = (data: unknown): string => {
  const { topic, partition, offset } = data as { topic: string; partition: number; offset: string }
  return `${topic}/${partition}/${offset}`
}
