import { right } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { dispatch } from '#src/app/dispatch.ts'
import { commandsOf } from '#src/workflows/workflow.ts'
import { testSystem } from './archive.ts'

it('what views say against a command holds for a new wish; one that had its effect is told so', async () => {
  const system = await testSystem()
  const pause = commandsOf(system.workflows).find(({ name }) => name === 'research.pause')!
  const against = { code: 'unknown', message: 'views know better' }
  const give = (key: string, objection?: typeof against) =>
    dispatch(system, { ...pause, rejection: () => () => objection }, {}, { actor: 'ada', reason: 'x', key })
  expect(await give('one', against)).toEqual(
    right({ kind: 'rejected', rejection: against, stream: 'desk-research' }),
  )
  expect(await give('one')).toMatchObject({ right: { kind: 'done' } })
  expect(await give('one', against)).toMatchObject({ right: { kind: 'repeated' } })
  expect(await give('two', against)).toMatchObject({ right: { kind: 'rejected' } })
})
