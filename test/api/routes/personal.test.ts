import { expect, it } from 'vitest'
import { orThrow } from '#src/async/unavailable.ts'
import { isPersonal } from '#src/domain/kernel/personal.ts'
import { startServer } from '../server.ts'

/* Q44: answers over HTTP have the value in the place of its reference. */

const actor = 'Ada "the \\ first"\nof Ghent'

it('events and problems have values, then the day of erasing', async () => {
  const { get, post, system } = await startServer({ settings: { personalValues: 'on' } })
  const command = (name: string, input: object, who = actor) =>
    post(`/api/v1/commands/${name}`, { input, actor: who, reason: 'no reason' })
  expect(await command('ingest.pause', {})).toMatchObject({ status: 200 })
  const [stored] = (await orThrow(system.eventStore.readAll(-1n, {}, 10))).events
  expect(isPersonal(stored!.metadata.actor)).toBe(true)
  const shown = async () => (await get('/api/v1/events')).body.events[0]
  expect(await shown()).toMatchObject({ metadata: { actor }, data: { reason: 'no reason' } })

  expect(await command('personal.erase', { person: actor, confirmed: true }, 'ben')).toMatchObject({
    status: 200,
  })
  const day = system.clock.now().slice(0, 10)
  expect(await shown()).toMatchObject({ metadata: { actor: `[erased on ${day}]` } })
})

it('without the values it says what a reference is', async () => {
  const { get, post, system } = await startServer({ settings: { personalValues: 'on' } })
  await post('/api/v1/commands/ingest.pause', { input: {}, actor, reason: 'no reason' })
  const [stored] = (await orThrow(system.eventStore.readAll(-1n, {}, 10))).events
  const reference = stored!.metadata.actor
  Object.assign(system.personal, {
    find: () => async () => ({ _tag: 'Left', left: { kind: 'Unavailable', reason: 'x' } }),
  })
  expect((await get('/api/v1/events')).body.events[0].metadata.actor).toBe(
    `[personal value, not readable here: ${reference}]`,
  )
})

it('a view is asked for a value that rows have by reference', async () => {
  const { get, post } = await startServer({
    settings: { personalValues: 'on' },
    roles: ['projections', 'processors', 'reactions'],
  })
  const { body } = await post('/api/v1/commands/ingest.pause', {
    input: {},
    actor: 'Ada Brandt',
    reason: 'the lift',
  })
  const rowsOf = (who: string) =>
    get(
      `/api/v1/views/ingest-holds?where=${encodeURIComponent(`actor=${who}`)}&after=${body.position}&total=true`,
    )
  expect((await rowsOf('Ada Brandt')).body).toMatchObject({ total: 1, rows: [{ actor: 'Ada Brandt' }] })
  expect((await rowsOf('ben')).body).toMatchObject({ total: 0, rows: [] })
})
