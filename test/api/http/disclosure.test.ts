import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startServer } from '../server.ts'

/* What the log and the headers of an answer tell, and to whom. */

it('the log has no value of a query: clients put tokens there', async () => {
  let logged = ''
  const log = pino(
    { level: 'info' },
    {
      write: (line: string) => {
        logged += line
      },
    },
  )
  const { get } = await startServer({
    settings: { token: 'correct horse battery' },
    replace: () => ({ log }),
  })
  expect((await get('/api/v1/views?token=s3cret&limit=twelve&s3cr%65t=x')).status).toBe(401)
  expect(logged).toContain('/api/v1/views?token=…&limit=…')
  expect(logged).not.toMatch(/s3cret|twelve/)
})

it('HTML below /api runs nothing and loads nothing', async () => {
  const { get } = await startServer()
  const answer = await get('/api/v1/indexing/captures?url=http://example.org/', { accept: 'text/html' })
  expect(answer.headers['content-type']).toMatch(/^text\/html/)
  expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; /)
  expect((await get('/api/v1/views')).headers).not.toHaveProperty('content-security-policy')
})
