import { EventStoreDBClient, START } from '@eventstore/db-client'
import { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { server } from './servers.ts'

describe('the servers that were found answer', () => {
  const kafka = server('kafka')
  it.skipIf('absent' in kafka)('kafka', async () => {
    const brokers = 'address' in kafka ? kafka.address.split(',') : []
    const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    try {
      const cluster = await admin.describeCluster()
      expect(cluster.brokers.length).toBeGreaterThan(0)
      expect(cluster.controller).not.toBeNull()
    } finally {
      await admin.disconnect()
    }
  })

  const eventStore = server('eventstoredb')
  it.skipIf('absent' in eventStore)('eventstoredb', async () => {
    const address = 'address' in eventStore ? eventStore.address : ''
    const client = EventStoreDBClient.connectionString(address)
    try {
      for await (const { event } of client.readAll({ fromPosition: START, maxCount: 1 }))
        expect(event?.streamId).toBeTypeOf('string')
    } finally {
      await client.dispose()
    }
  })
})
