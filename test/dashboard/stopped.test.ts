import { expect, it } from 'vitest'
import { stoppedIn } from '../../dashboard/src/pages/home/stopped.ts'

const since = '2026-01-31T12:00:00.000Z'
const none = { resting: [], broken: [], idle: [] }

it('a partition that is not read is shown with its place and its cause', () => {
  const at = { processor: 'fixity', topic: 'fonds.fixity.content', partition: 1, offset: '17', since }
  const place = { words: 'fonds.fixity.content, partition 1, offset 17', to: '/log/topics' }
  const says = 'fixity does not come past'
  expect(stoppedIn({ ...none, resting: [at] })).toEqual([{ says, place, since }])
  expect(stoppedIn({ ...none, resting: [{ ...at, because: 'no codec' }] })).toEqual([
    { says, place, since, because: 'no codec' },
  ])
})

it('so is a processor of which no member is in its group', () => {
  const broken = [{ processor: 'ingest', since, because: 'the group is of another log' }]
  expect(stoppedIn({ ...none, broken })).toEqual([
    {
      says: 'ingest takes nothing: this process has no member in',
      place: { words: 'its group', to: '/log/groups' },
      since,
      because: 'the group is of another log',
    },
  ])
})

it('so is why workers claim nothing; where all goes on, nothing is', () => {
  const why = 'ingest is stopped in this process: set FONDS_INGEST_STORAGE'
  expect(stoppedIn({ ...none, idle: [why] })).toEqual([{ says: why }])
  expect(stoppedIn(none)).toEqual([])
})
