import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { openEmbeddedBroker } from '../../../../infra/broker/embedded/broker.ts'
import { type Database, openDatabase } from '../../../../infra/sqlite/database.ts'
import type { GroupInfo } from '../../../../src/ports/broker.ts'
import { orThrow, record } from '../../../contracts/broker/fixture.ts'

export interface Opened {
  readonly db: Database
  readonly broker: ReturnType<typeof openEmbeddedBroker>
  /** What the broker reported. */
  readonly errors: unknown[]
  close(): Promise<void>
}

/** Any number of handles on one file in a folder of its own, each as a process would have it. */
export const brokerFile = () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-broker-'))
  const file = join(folder, 'fonds.db')
  const opened: Opened[] = []
  return {
    file,
    open: (options: Parameters<typeof openEmbeddedBroker>[1] = {}): Opened => {
      const db = openDatabase(file, { durability: 'normal', pollMillis: 5 })
      const errors: unknown[] = []
      const broker = openEmbeddedBroker(db, { onError: (error) => errors.push(error), ...options })
      const close = async () => {
        await broker.close()
        await db.close()
      }
      opened.push({ db, broker, errors, close })
      return opened.at(-1)!
    },
    remove: async () => {
      await Promise.all(opened.map((one) => one.close()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const topic = 'things'
export const group = 'readers'

export const fill = ({ broker }: Opened, count: number) =>
  orThrow(broker.produce(Array.from({ length: count }, (_, n) => record(topic, `key-${n}`, String(n)))))

export const groupOf = async ({ broker }: Opened): Promise<GroupInfo> =>
  (await orThrow(broker.groups())).find((one) => one.group === group)!

export const ownersOf = async (opened: Opened): Promise<readonly (string | null)[]> =>
  (await groupOf(opened)).partitions.map((partition) => partition.member)

export const until = <A>(condition: () => A | Promise<A>) => vi.waitFor(condition, { interval: 5 })
