import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedBroker } from '../../../../infra/broker/embedded/broker.ts'
import { openDatabase } from '../../../../infra/sqlite/database.ts'
import { brokerContract } from '../../../contracts/broker.ts'

brokerContract('embedded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-broker-'))
  const closing: (() => Promise<void>)[] = []
  const open = () => {
    const db = openDatabase(join(folder, 'fonds.db'), { durability: 'normal', pollMillis: 5 })
    const broker = openEmbeddedBroker(db, { onError: () => {} })
    closing.push(async () => {
      await broker.close()
      await db.close()
    })
    return broker
  }
  return {
    broker: open(),
    other: async () => open(),
    dispose: async () => {
      await Promise.all(closing.map((close) => close()))
      rmSync(folder, { recursive: true, force: true })
    },
    maxMessageBytes: 1024 * 1024,
  }
})
