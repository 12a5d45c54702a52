import { expect, it } from 'vitest'
import { sitesAway } from '#src/app/attention/sites-away.ts'
import { MINUTE } from '#src/domain/kernel/time.ts'
import { opened } from '../../processors/ingest/opened-batch.ts'

const site = 'node-1/00000000000000aa'
const there = { site, sourceSite: site } as const

it('jobs that wait for a site where nothing has moved for an hour are told, with what fails them', async () => {
  const { clock, show, viewStore } = await opened(3)
  const causes = () => sitesAway({ clock, viewStore })
  const moved = { lastModified: clock.now() }
  await show([1, { ...there, ...moved }], [2, { ...there, ...moved }], [3, { ...moved }])
  expect(causes()).toEqual([])
  clock.putForth(61 * MINUTE)
  expect(causes()).toEqual([
    {
      key: `site-away/ingest/${site}`,
      says: `at site ${site} of ingest, 2 jobs wait for files that are there alone, and nothing of it has moved since ${moved.lastModified}`,
      todo: 'start the node that has them; where it is gone for good, `fonds do ingest.force-fail batch=1` fails all open jobs of batch 1 (`job=…` one alone)',
      weight: 2,
    },
  ])
  await show([1, { ...there, holder: 'w', lastModified: clock.now() }])
  expect(causes()).toEqual([])
})
