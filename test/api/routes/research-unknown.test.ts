import { describe, expect, it } from 'vitest'
import { research } from '#src/projections/research/projection.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { writeLog } from '../../fakes/matching-log.ts'
import { programme } from '../../fakes/research-programme.ts'
import { startServer } from '../server.ts'

const url = '/api/v1/research'

const withLog = async () => {
  const server = await startServer()
  await writeLog(server.system, programme())
  await catchUp({ ...server.system, projections: [research] })
  return server
}

describe('a question about what nobody knows', () => {
  it.each([
    ['findings?episode=nix', 'episode', 'nix'],
    ['findings?clip=zz', 'clip', 'zz'],
    ['findings?episode=E1&clip=zz', 'clip', 'zz'],
    ['findings?episode=nix&clip=zz', 'episode', 'nix'],
    ['findings?text=first&episode=nix', 'episode', 'nix'],
    ['findings?episode=E1&asOf=2020-01-01T00:00:00Z', 'episode', 'E1'],
    ['episodes/nix/timeline', 'episode', 'nix'],
    ['pair?episode=nix&clip=g', 'episode', 'nix'],
    ['pair?episode=E1&clip=zz', 'clip', 'zz'],
  ])('%s: names the parameter', async (asked, subject, id) => {
    const { get } = await withLog()
    expect(await get(`${url}/${asked}`)).toMatchObject({
      status: 404,
      body: {
        code: `no-such-${subject}`,
        path: subject,
        detail: `nothing is known of the ${subject} ${id}`,
      },
    })
  })

  it('is none where a result names it, though no curator does; nor where nothing was found', async () => {
    const { get } = await withLog()
    for (const asked of ['episode=E2&clip=nix', 'clip=nix', 'clip=h', 'text=zz'])
      expect(await get(`${url}/findings?${asked}`)).toMatchObject({ status: 200, body: { findings: [] } })
  })

  it('is among the answers that OpenAPI lists', async () => {
    const { get } = await startServer()
    const { paths } = (await get('/api/v1/openapi.json')).body
    const { description } = paths[`${url}/findings`].get.responses['404']
    expect(description).toContain('Nothing is known of the episode.')
    expect(description).toContain('Nothing is known of the clip.')
  })
})
