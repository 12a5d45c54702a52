import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSites } from '#src/workers/ingest/sites.ts'
import { testFolder } from '../../workflows/ingest/ingest-world.ts'

const started = () => {
  const folder = testFolder()
  const place = { home: join(folder, 'home'), work: join(folder, 'work') }
  return {
    ...place,
    sites: createSites(place),
    other: () => createSites(place),
  }
}

it('a folder is made a site when somebody needs that; all who have the folder know it by the same name', async () => {
  const { work, sites, other } = started()
  expect(await sites.here()).toEqual([])
  expect(existsSync(work)).toBe(false)
  const [one, two] = await Promise.all([sites.work(), other().work()])
  expect(one).toBe(two)
  expect(await sites.here()).toEqual([one])
  const home = await other().home()
  expect(await sites.here()).toEqual([home, one])
})

it('a damaged file is told', async () => {
  const { work, sites, other } = started()
  await sites.work()
  writeFileSync(join(work, 'site'), 'x')
  await expect(other().work()).rejects.toThrow(/names no site/)
})
