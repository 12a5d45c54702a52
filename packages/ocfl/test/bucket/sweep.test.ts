import { expect, it } from 'vitest'
import { defaultLayout, objectFolders } from '../../src/root/layout.ts'
import { ark, versionOf } from '../root-folder.ts'
import { prefix, useBucket } from './bucket-root.ts'

const nothing = { writes: 0, uploads: 0, strays: [] }
const folderOf = (object: string): string => objectFolders(object, defaultLayout).join('/')

it('finds nothing in a root where all is as it was written', async () => {
  const { open, file } = useBucket()
  const root = await open()
  expect(await root.sweep()).toEqual(nothing)
  for (let i = 0; i < 5; i++)
    await root.write(versionOf(`${ark}${i}`, 0, [file('a', 'one'), file('b', 'b'.repeat(9000))]))
  await root.setAside(`${ark}0`, 0)
  expect(await root.sweep()).toEqual(nothing)
})

it('aborts uploads whose answer was lost, and none of a write or a stage that is under way', async () => {
  const use = useBucket()
  const bucket = use.client()
  const root = await use.open()
  await bucket.upload(`${prefix}/${folderOf(ark)}/v1/content/abc/of-nobody`)
  await bucket.upload(`${prefix}.set-aside/copy/of-nobody`)
  await bucket.upload('archive/root2/of-another-root')
  const stage = await root.stages.open({ id: 'job-1', object: `${ark}2`, basedOn: 0 })
  const intake = stage.begin('staged', 9000)
  await intake.write(Buffer.alloc(8000))
  const sweeper = await use.open()
  let swept: unknown
  const writer = await use.open(async (name) => {
    if (name === 'part' && !swept) swept = await sweeper.sweep()
  })
  await writer.write(versionOf(`${ark}3`, 0, [use.file('a', 'l'.repeat(9000))]))
  expect(swept).toEqual({ ...nothing, uploads: 2 })
  await intake.write(Buffer.alloc(1000))
  await intake.end(() => {})
  expect(use.openUploads()).toBe(1)
})

it('ends the writes of ended processes, with their marks', async () => {
  const use = useBucket()
  let isDead = false
  const call = async (name: string, key: string) => {
    isDead ||= name === 'put' && key.endsWith('/inventory.json')
    if (isDead) throw new Error('killed')
  }
  const killed = await use.open(call, { process: 'killed' })
  await expect(killed.write(versionOf(ark, 0, [use.file('a', 'one')]))).rejects.toThrow('killed')
  use.end('killed')
  const root = await use.open()
  expect(await root.sweep()).toEqual({ ...nothing, writes: 1 })
  expect([...use.texts().keys()].filter((key) => key.includes('/killed/') || key.includes('/v1/'))).toEqual(
    [],
  )
})

it('names what belongs to no object, and leaves it', async () => {
  const use = useBucket()
  const root = await use.open()
  await root.write(versionOf(ark, 0, [use.file('a', 'one')]))
  await root.write(versionOf(`${ark}2`, 0, [use.file('a', 'one')]))
  await root.stages.open({ id: 'job-1', object: `${ark}3`, basedOn: 0 })
  use.damage(`${prefix}/stray`, 'a file of the root')
  use.damage(`${prefix}/a/b`, 'in no folder of an object')
  use.remove(`${prefix}/${folderOf(ark)}/inventory.json`)
  const { strays } = await root.sweep()
  expect(strays).toEqual([folderOf(ark), 'a/b'].toSorted())
  expect(use.texts().get(`${prefix}/a/b`)).toBe('in no folder of an object')
})
