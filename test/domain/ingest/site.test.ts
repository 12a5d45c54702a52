import { describe, expect, it } from 'vitest'
import { jobFacts } from '#src/domain/ingest/batch/job-facts.ts'
import type { Batch } from '#src/domain/ingest/batch/state.ts'
import { evolve, type Job } from '#src/domain/ingest/job/state.ts'
import { Site, siteIn, siteOf } from '#src/domain/ingest/site.ts'
import { workStates } from '#src/domain/ingest/transitions.ts'

const home = 'node-1/00000000000000aa'
const work = 'node-1/00000000000000bb'
const statesAt = (sites: Parameters<typeof siteIn>[1]) =>
  Object.fromEntries(workStates.map((state) => [state, siteIn(state, sites)]))

describe('where a job is worked on', () => {
  it('what a server has, anywhere; once room was given, where it was given until it is brought', () => {
    const states = statesAt({ source: '', work })
    expect(states).toEqual({
      ...Object.fromEntries(workStates.map((state) => [state, ''])),
      downloading: work,
    })
  })

  it('what one node has, there until it is brought; then wherever the work folder is seen; stored, anywhere', () => {
    const before = { pending: home, estimating: home, provisioning: home, downloading: home }
    const states = { ...before, processing: work, storing: work, recording: '', notify: '' }
    expect(statesAt({ source: home, work })).toEqual(states)
    expect(statesAt({ source: home, work: '' })).toEqual({ ...states, processing: home, storing: home })
  })

  it('a job of a server’s file has no site, also where the manifest that lists it has one', () => {
    const batch = { submission: { site: home }, profile: { name: 'default' } } as unknown as Batch
    const facts = (url: string) =>
      jobFacts({ id: 'b', batch, firstJob: 1 }, 0, { payload: { url, type: 'file' }, localIds: [] })
    expect(facts('file:///data/drop/a').site).toBe(home)
    expect(facts('https://host.example/a')).not.toHaveProperty('site')
  })

  it('a download that a person resumes begins anew, anywhere; later steps go on where the files are', () => {
    const job = {
      state: 'failed',
      found: { site: work, spaceNeeded: 3 },
      retries: 0,
      claims: { lastFence: 1 },
    }
    const resumed = (to: 'downloading' | 'storing') =>
      evolve(
        job as unknown as Job,
        {
          type: 'JobMoved',
          data: { from: 'failed', to, cause: 'I35', at: '2026-01-31T12:00:00.000Z' },
        } as never,
      )?.found
    expect(resumed('downloading')).toEqual({ spaceNeeded: 3 })
    expect(resumed('storing')).toEqual({ spaceNeeded: 3, site: work })
  })

  it('a site names its host, whatever that is called', () => {
    for (const host of ['node-1', 'fonds.example.org', 'ein Rechner', ''])
      expect(Site.is(siteOf(host, 'a'.repeat(16)))).toBe(true)
    expect(Site.is('node-1')).toBe(false)
  })
})
