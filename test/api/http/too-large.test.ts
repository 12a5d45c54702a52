import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { startServer } from '../server.ts'

it('of a body that never ends so much is let pass, and no more', async () => {
  const { app } = await startServer()
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1024 * 1024)
    })(),
  )
  const { statusCode } = await app.inject({
    method: 'POST',
    url: '/api/v1/topics/fonds.fixity.content/messages',
    headers: { 'content-type': 'application/x-ndjson' },
    payload: endless,
  })
  expect(statusCode).toBe(413)
})
