import { expect, it } from 'vitest'
import { startServer } from '../server.ts'

const by = { actor: 'ada', reason: 'a slower archive' }
const set = (setting: string, value: unknown) => ({ input: { setting, value }, ...by })

it('settings of the log are set and listed over HTTP; a process takes up what takes effect at once, and says what needs a start', async () => {
  const { get, post, system } = await startServer()
  const here = async (name: string) => {
    const { body } = await get('/api/v1/settings')
    return body.settings.find(({ setting }: { setting: string }) => setting === name)
  }
  expect(await here('indexingScanLines')).toMatchObject({ value: null, here: '1000000', from: 'default' })
  expect(await post('/api/v1/commands/settings.set', set('indexingScanLines', 5))).toMatchObject({
    status: 200,
  })
  expect(await post('/api/v1/commands/settings.set', set('ingestFolderDays', '9'))).toMatchObject({
    status: 200,
  })
  // Whoever asks for them needs no poll of the log to see them.
  expect(await here('indexingScanLines')).toMatchObject({
    value: 5,
    here: '5',
    from: 'log',
    needsStart: false,
  })
  expect(system.config).toMatchObject({ indexingScanLines: 5, ingestFolderDays: 3 })
  expect(await here('ingestFolderDays')).toMatchObject({
    value: 9,
    here: '3',
    from: 'default',
    needsStart: true,
  })
  expect(await system.settings.refresh()).toBe(false)
})

it('a field, a name or a value that is none is refused', async () => {
  const { post } = await startServer()
  const answer = async (body: object) => (await post('/api/v1/commands/settings.set', body)).body
  expect(await answer({ ...set('ingestStorage', '/a'), value: '/a' })).toMatchObject({
    code: 'unknown-field',
  })
  expect(await answer(set('storage', '/a'))).toMatchObject({ code: 'unknown-setting' })
  expect(await answer(set('ingestThresholdPercent', 0))).toMatchObject({ code: 'wrong-value' })
  expect(await answer(set('token', 'a token of sixteen letters'))).toMatchObject({ code: 'node-setting' })
})
