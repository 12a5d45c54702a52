import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of 127.0.0.1 that nothing listened on a moment ago. */
export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  await new Promise((closed) => probe.close(closed))
  if (address === null || typeof address === 'string') throw new Error('the probe listens on no port')
  return address.port
}
