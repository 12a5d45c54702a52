import net from 'node:net'
import tls from 'node:tls'
import type { ISocketFactory } from 'kafkajs'

/** The connections of a client. */
export interface Sockets {
  readonly open: ISocketFactory
  /** Ends those that are left: kafkajs forgets one where two of its calls connect at the same moment, and the process would never end. */
  close(): void
}

const keepAliveMillis = 60_000

export const createSockets = (): Sockets => {
  const open = new Set<net.Socket>()
  let isClosed = false
  return {
    open: ({ host, port, ssl, onConnect }) => {
      const socket = ssl
        ? tls.connect({ host, port, ...(net.isIP(host) ? {} : { servername: host }), ...ssl }, onConnect)
        : net.connect({ host, port }, onConnect)
      socket.setKeepAlive(true, keepAliveMillis)
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      if (isClosed) socket.destroy()
      return socket
    },
    close: () => {
      isClosed = true
      for (const socket of open) socket.destroy()
    },
  }
}
