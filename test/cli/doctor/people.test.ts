import { expect, it } from 'vitest'
import { useFonds } from '../fonds.ts'

const fonds = useFonds()
const by = ['--actor', 'ann', '--reason', 'the roof leaks']

const lineOf = async (check: string) => {
  const { rows } = await fonds.run(['doctor'])
  return rows.find((row) => row.check === check)
}

it('says that nothing waits where nothing does', async () => {
  await fonds.run(['do', 'fixity.register-store', 'store=main', 'kind=external', ...by])
  expect(await lineOf('people')).toMatchObject({ status: 'ok', says: 'nothing waits for a person' })
})

it('says what people must do, with the command that settles it; which then settles it', async () => {
  await fonds.run(['do', 'ingest.hold-collection', 'collection=maps', ...by])
  expect(await lineOf('hold')).toMatchObject({
    status: 'warn',
    says: expect.stringMatching(/^the collection maps is on hold since .*, by ann: the roof leaks$/),
    todo: '`fonds do ingest.release-collection collection=maps` resumes it',
  })
  expect(await lineOf('people')).toBeUndefined()
  await fonds.run(['do', 'ingest.release-collection', 'collection=maps', ...by])
  expect(await lineOf('hold')).toBeUndefined()
})
