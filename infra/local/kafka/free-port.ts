import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A port of 127.0.0.1 that nothing listened on a moment ago; the given one, or any. Throws where that is taken. */
export const freePort = async (port = 0): Promise<number> => {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch (error) {
    throw new Error(`something else listens on 127.0.0.1:${port}: choose another port, or stop that`, {
      cause: error,
    })
  }
  const address = probe.address()
  await new Promise((closed) => probe.close(closed))
  if (address === null || typeof address === 'string') throw new Error('the probe listens on no port')
  return address.port
}

/** Resolves when a port is free: the kernel closes the sockets of a killed process a moment after it is gone. */
export const freed = async (port: number, withinMillis = 5000): Promise<void> => {
  const deadline = Date.now() + withinMillis
  for (;;) {
    try {
      await freePort(port)
      return
    } catch (error) {
      if (Date.now() >= deadline) throw error
    }
    await wait(20)
  }
}
