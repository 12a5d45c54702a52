import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Systems give ports from 32768 on, or from above that, to connections and to whoever asks for any: one of those may be taken while the
 * server that has it is started anew.
 */
const own = { from: 15_000, to: 32_000 }

/** A port of 127.0.0.1 that nothing listened on a moment ago; the given one, or any. Throws where that is taken. */
export const freePort = async (port?: number): Promise<number> => {
  if (port !== undefined) return probed(port)
  for (let tried = 1; ; tried++)
    try {
      return await probed(randomInt(own.from, own.to))
    } catch (error) {
      if (tried === 100) throw error
    }
}

const probed = async (port: number): Promise<number> => {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch (error) {
    throw new Error(`something else listens on 127.0.0.1:${port}: choose another port, or stop that`, {
      cause: error,
    })
  }
  await new Promise((closed) => probe.close(closed))
  return port
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
