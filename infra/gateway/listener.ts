import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Server, ServerCredentials } from '@grpc/grpc-js'

interface Listener {
  readonly port: number
  /** Takes no new connection, lets calls under way finish for `graceMillis`, then cuts every connection. */
  close(graceMillis: number): Promise<void>
}

/**
 * Listens for the gRPC server. The library waits for the client before it closes a connection, however long that takes. So
 * the connections are kept here, where they can be cut. Rejects with a sentence when the port cannot be had.
 */
export const openListener = async (
  server: Server,
  credentials: ServerCredentials,
  host: string,
  port: number,
): Promise<Listener> => {
  const connections = new Set<Socket>()
  const injector = server.createConnectionInjector(credentials)
  const tcp = createServer({ noDelay: true }, (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
    injector.injectConnection(socket)
  })
  tcp.listen({ host, port })
  try {
    await once(tcp, 'listening')
  } catch (error) {
    server.forceShutdown()
    throw cannotListen(host, port, error as NodeJS.ErrnoException)
  }
  return {
    port: (tcp.address() as AddressInfo).port,
    close: async (graceMillis) => {
      const closed = Promise.all([once(tcp.close(), 'close'), finished(server)])
      const deadline = setTimeout(() => {
        for (const socket of connections) socket.destroy()
      }, graceMillis)
      await closed
      clearTimeout(deadline)
    },
  }
}

const finished = (server: Server): Promise<void> =>
  new Promise((resolve) => server.tryShutdown(() => resolve()))

const cannotListen = (host: string, port: number, error: NodeJS.ErrnoException): Error => {
  const reason = error.code === 'EADDRINUSE' ? 'something else listens there' : error.message
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return new Error(`the gateway cannot listen on ${address}: ${reason}; choose another port or host`)
}
