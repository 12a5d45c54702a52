import { describe, expect, it } from 'vitest'
import { dossierStream } from '#src/domain/chain/events.ts'
import { chainSource, versionText } from '#src/domain/chain/outputs.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import { handOver } from '#src/processors/chain/hand-over.ts'
import { chain } from '#src/projections/chain/projection.ts'
import { foldBatch } from '#src/projections/runtime/fold.ts'
import { viewCheckpoint } from '../../../src/async/checkpoint.ts'
import { brought, chainWorld } from './world.ts'

const ark = 'ark:/99999/fk4abc'
type World = ReturnType<typeof chainWorld>

/** Each message once, however often it was sent. */
const once = ({ sent }: World) => [...new Map(sent.map((message) => [message.id, message])).values()]

describe('a version that is stored', () => {
  it('is noted, then sent, then noted as handed over', async () => {
    const world = chainWorld()
    await handOver([await world.stored(ark, 1)], world.deps)
    expect(await world.typesOf(ark)).toEqual(['ObjectStored', 'ContentHandedOver'])
    const { folder } = brought(ark, 1)
    expect(world.sent.map(({ type, path }) => [type, path])).toEqual([
      ['content.recorded', `${folder}/v1/content/a`],
      ['content.recorded', `${folder}/v1/inventory.json`],
      ['content.recorded', `${folder}/inventory.json`],
    ])
    const [stored, handedOver] = await world.eventsOf(dossierStream(ark))
    expect(stored!.metadata).toMatchObject({ actor: chainSource, correlationId: 'batch 1' })
    expect(handedOver!.data).toMatchObject({ version: 1, store: 'storage', parts: 2, shared: 1 })
  })

  it('is not read again, and not sent again, once it is handed over', async () => {
    const world = chainWorld()
    const event = await world.stored(ark, 1)
    await handOver([event], world.deps)
    const count = world.sent.length
    await handOver([event], world.deps)
    expect(world.sent).toHaveLength(count)
    expect(await world.typesOf(ark)).toHaveLength(2)
  })

  it('of a page may be the second of its object; a version that comes late leaves the top to the last', async () => {
    const world = chainWorld()
    const [first, second] = [await world.stored(ark, 1), await world.stored(ark, 2)]
    await handOver([second], world.deps)
    await handOver([first], world.deps)
    const { folder } = brought(ark, 1)
    expect(world.sent.filter(({ path }) => path === `${folder}/inventory.json`)).toHaveLength(1)
    expect((await world.eventsOf(dossierStream(ark))).at(-1)).toMatchObject({
      type: 'ContentHandedOver',
      data: { version: 1, shared: 0 },
    })
  })

  it('whose process is killed after any of its effects is handed over in the end, all of it, once', async () => {
    const undisturbed = chainWorld()
    await handOver([await undisturbed.stored(ark, 1), await undisturbed.stored(ark, 2)], undisturbed.deps)
    const expected = once(undisturbed).map(({ type, path }) => [type, path])
    const typesExpected = (await undisturbed.typesOf(ark)).toSorted()
    for (let effects = 0; effects < 8; effects++) {
      const world = chainWorld()
      const events = [await world.stored(ark, 1), await world.stored(ark, 2)]
      world.killAfter(effects)
      await handOver(events, world.deps).catch((error: Error) => expect(error.message).toBe('killed'))
      world.killAfter(Number.POSITIVE_INFINITY)
      await handOver(events, world.deps)
      expect(once(world).map(({ type, path }) => [type, path])).toEqual(expected)
      expect((await world.typesOf(ark)).toSorted()).toEqual(typesExpected)
    }
  })
})

describe('a version that cannot be handed over', () => {
  it('is noted with its reason, once, and holds up no other', async () => {
    const world = chainWorld()
    const other = 'ark:/99999/fk4def'
    const events = [await world.stored(ark, 1), await world.stored(other, 1)]
    world.fails(ark, 1, { kind: 'Damaged', object: ark, reason: 'its inventory is damaged' })
    await handOver(events, world.deps)
    await handOver(events, world.deps)
    expect(await world.typesOf(ark)).toEqual(['ObjectStored', 'HandOverFailed'])
    expect(await world.typesOf(other)).toEqual(['ObjectStored', 'ContentHandedOver'])
  })

  it('is handed over when it is there again', async () => {
    const world = chainWorld()
    const event = await world.stored(ark, 1)
    const whole = world.storage.get(`${ark} 1`)!
    world.storage.delete(`${ark} 1`)
    await handOver([event], world.deps)
    expect((await world.eventsOf(dossierStream(ark))).at(-1)!.data).toMatchObject({
      reason: `storage holds no object ${ark}`,
    })
    world.storage.set(`${ark} 1`, whole)
    await handOver([event], world.deps)
    expect(await world.typesOf(ark)).toEqual(['ObjectStored', 'HandOverFailed', 'ContentHandedOver'])
  })

  it('waits where storage does not answer: nothing is said of it', async () => {
    const world = chainWorld()
    const event = await world.stored(ark, 1)
    world.fails(ark, 1, { kind: 'Unavailable', reason: 'the disk is away' })
    await expect(handOver([event], world.deps)).rejects.toThrow('the disk is away')
    expect(await world.typesOf(ark)).toEqual(['ObjectStored'])
  })
})

describe('versions that are taken out of storage', () => {
  /** The views as they are when fixity has recorded what was sent. */
  const recorded = async (world: World, ...versions: readonly number[]) => {
    const before = world.viewStore.checkpoint(world.generation)
    const { folder } = brought(ark, 1)
    let position = before.position
    const events = versions.flatMap((version) =>
      [`v${version}/content/a`, `v${version}/inventory.json`, 'inventory.json'].map(
        (place): RecordedEvent => {
          position++
          return {
            ...{ id: `${position}`, type: 'ContentRecorded', revision: BigInt(version - 1), position },
            stream: `fixity-storage/${folder}/${place}`,
            recordedAt: world.deps.clock.now(),
            data: { at: world.deps.clock.now(), version: versionText(ark, version) },
            metadata: { actor: chainSource, causationId: 'c', correlationId: 'c', schema: 2 },
          }
        },
      ),
    )
    foldBatch(viewCheckpoint(world.viewStore, world.generation), chain, before, { events, position })
  }

  it('are checked no more; where all are, the dossier is closed', async () => {
    const world = chainWorld()
    await handOver([await world.stored(ark, 1)], world.deps)
    await recorded(world, 1)
    const event = await world.setAside(ark, 0)
    world.sent.length = 0
    await handOver([event], world.deps)
    await handOver([event], world.deps)
    expect(once(world).map(({ type }) => type)).toEqual(Array(3).fill('content.removed'))
    expect((await world.typesOf(ark)).slice(2)).toEqual([
      'VersionsWithdrawn',
      'DossierClosed',
      'ContentWithdrawn',
    ])
  })

  it('leave the top of the object as the version before had it', async () => {
    const world = chainWorld()
    await handOver([await world.stored(ark, 1), await world.stored(ark, 2)], world.deps)
    await recorded(world, 1, 2)
    world.sent.length = 0
    await handOver([await world.setAside(ark, 1)], world.deps)
    const { folder } = brought(ark, 1)
    expect(once(world).map(({ type, path }) => [type, path])).toEqual([
      ['content.removed', `${folder}/v2/content/a`],
      ['content.removed', `${folder}/v2/inventory.json`],
      ['content.recorded', `${folder}/inventory.json`],
    ])
  })

  it('wait until all that was sent of them is recorded: nothing of them may stay on the schedule', async () => {
    const world = chainWorld()
    await handOver([await world.stored(ark, 1)], world.deps)
    const event = await world.setAside(ark, 0)
    await expect(handOver([event], world.deps)).rejects.toThrow('0 of the 3 files')
    await recorded(world, 1)
    await handOver([event], world.deps)
    expect((await world.typesOf(ark)).at(-1)).toBe('ContentWithdrawn')
  })

  it('that the dossier never had change nothing', async () => {
    const world = chainWorld()
    await handOver([await world.stored(ark, 1)], world.deps)
    await handOver([await world.setAside(ark, 1), await world.setAside('ark:/99999/x', 0)], world.deps)
    expect(await world.typesOf(ark)).toEqual(['ObjectStored', 'ContentHandedOver'])
    expect(await world.typesOf('ark:/99999/x')).toEqual([])
  })
})
