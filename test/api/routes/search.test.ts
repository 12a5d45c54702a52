import { expect, test } from 'vitest'
import { projectionsOf } from '../../../src/workflows/workflow-model.ts'
import { archive, plant } from '../../app/search/planted.ts'
import { startServer } from '../server.ts'

const started = async () => {
  const server = await startServer()
  plant(server.system.viewStore, projectionsOf(server.system.workflows), archive)
  return server
}

test('what is found, by kind, with the command and the page of each', async () => {
  const { get } = await started()
  const { status, body } = await get('/api/v1/search?text=main/letters/1912/03.tif')
  expect(status).toBe(200)
  expect(body).toEqual({
    text: 'main/letters/1912/03.tif',
    groups: [
      {
        kind: 'fixity-items',
        title: 'Items',
        hits: [
          {
            id: 'main/letters/1912/03.tif',
            title: null,
            note: 'verified',
            exact: true,
            command: 'fonds fixity item main letters/1912/03.tif',
            page: '/fixity/item?store=main&path=letters%2F1912%2F03.tif',
          },
        ],
        total: 1,
        isAll: true,
      },
    ],
    leftOut: [],
  })
})

test('of one kind, so many at most', async () => {
  const { get } = await started()
  const { body } = await get('/api/v1/search?text=main/letters&kind=fixity-items&limit=2')
  expect(body.groups).toHaveLength(1)
  expect(body.groups[0].hits).toHaveLength(2)
  expect(body.groups[0].total).toBe(4)
})

test.each([
  ['no text', '', 'text'],
  ['an empty text', '?text=', 'text'],
  ['blanks', '?text=%20%20', 'text'],
  ['ten thousand characters', `?text=${'x'.repeat(10_000)}`, 'text'],
  ['two texts', '?text=a&text=b', 'text'],
  ['an unknown kind', '?text=a&kind=planets', 'kind'],
  ['a limit of none', '?text=a&limit=0', 'limit'],
  ['a limit of thousands', '?text=a&limit=1001', 'limit'],
  ['no moment', '?text=a&asOf=soon', 'asOf'],
])('%s is refused, with the name of the field', async (_, query, path) => {
  const { get } = await started()
  const { status, body } = await get(`/api/v1/search${query}`)
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'wrong-parameter', path })
})
