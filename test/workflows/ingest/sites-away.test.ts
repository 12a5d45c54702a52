import { expect, it } from 'vitest'
import { sites } from '#src/domain/ingest/views.ts'
import { MINUTE } from '#src/domain/kernel/time.ts'
import { sitesAway } from '#src/workflows/ingest/sites-away.ts'
import { opened } from '../../processors/ingest/opened-batch.ts'

const site = 'node-1/00000000000000aa'
const there = { site, sourceSite: site } as const

it('jobs that wait for a site where nothing has moved for an hour are told, with what fails them', async () => {
  const { clock, show, write, viewStore } = await opened(3)
  const move = () => write(sites.name, { site, lastMove: clock.now() })
  const causes = () => sitesAway({ clock, viewStore })
  const since = clock.now()
  await show([1, there], [2, there], [3])
  move()
  expect(causes()).toEqual([])
  clock.putForth(61 * MINUTE)
  expect(causes()).toEqual([
    {
      key: `site-away/ingest/${site}`,
      says: `at site ${site} of ingest, 2 jobs wait for files that are there alone, and nothing of it has moved since ${since}`,
      todo: 'start the node that has them; where it is gone for good, `fonds do ingest.force-fail batch=1` fails all open jobs of batch 1 (`job=…` one alone)',
      weight: 2,
    },
  ])
  await show([1, { ...there, holder: 'w' }])
  move()
  expect(causes()).toEqual([])
})
