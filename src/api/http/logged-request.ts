import type { FastifyRequest } from 'fastify'

/** A request as it is logged. Clients put tokens into addresses: a query's values are left out, its names stay. */
export const loggedRequest = ({ method, url, host, ip, socket }: FastifyRequest) => ({
  method,
  url: withoutValues(url),
  host,
  remoteAddress: ip,
  remotePort: socket?.remotePort,
})

const withoutValues = (url: string): string => {
  const [path, query] = url.split(/\?(.*)/s, 2)
  return query === undefined ? url : `${path}?${query.replace(/=[^&]*/g, '=…')}`
}
