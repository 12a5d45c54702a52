import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'

export interface ServeOptions {
  /** Default: strong. */
  readonly tags?: 'strong' | 'weak' | 'none'
  readonly hasDates?: boolean
  readonly hasRanges?: boolean
  /** So many answers break off after so many bytes; those to a request for the first byte do not. */
  readonly breaks?: { times: number; readonly bytes: number }
  /** Looks at the request first; true: it has answered. */
  readonly before?: (asked: IncomingMessage, answer: ServerResponse) => boolean
}

/** A server of the files in a folder, with ranges and conditions as far as it is to know them. */
export const serveFolder = async (folder: string, options: ServeOptions = {}) => {
  const { tags = 'strong', hasDates = true, hasRanges = true, breaks, before = () => false } = options
  const requests: string[] = []
  const server = createServer((asked, answer) => {
    requests.push(`${asked.method} ${asked.headers.range ?? 'whole'}`)
    if (before(asked, answer)) return
    const path = join(folder, ...(asked.url ?? '').split('/').map(decodeURIComponent))
    const stats = existsSync(path) ? statSync(path, { bigint: true }) : undefined
    if (!stats?.isFile()) return answer.writeHead(404).end()
    const size = Number(stats.size)
    const tag = `"${stats.ino}-${size}-${stats.mtimeNs}-${stats.ctimeNs}"`
    const headers = {
      ...(tags !== 'none' && { etag: tags === 'weak' ? `W/${tag}` : tag }),
      ...(hasDates && { 'last-modified': stats.mtime.toUTCString() }),
    }
    if (tags === 'strong' && ![undefined, tag].includes(asked.headers['if-match']))
      return answer.writeHead(412).end()
    const range = hasRanges ? /^bytes=(\d+)-(\d*)$/.exec(asked.headers.range ?? '') : null
    const send = (from: number, to: number) => {
      const isBroken = asked.headers.range !== 'bytes=0-0' && breaks !== undefined && breaks.times-- > 0
      if (to <= from) return answer.end()
      if (!isBroken) return pipeline(createReadStream(path, { start: from, end: to - 1 }), answer, () => {})
      const part = createReadStream(path, { start: from, end: from + breaks.bytes - 1 })
      part.pipe(answer, { end: false })
      return part.once('end', () => setTimeout(() => answer.destroy(), 50))
    }
    if (!range) {
      answer.writeHead(200, { ...headers, 'content-length': size })
      return send(0, size)
    }
    const from = Number(range[1])
    const to = Math.min(size, range[2] === '' ? size : Number(range[2]) + 1)
    // As nginx: without validators.
    if (from >= size) return answer.writeHead(416, { 'content-range': `bytes */${size}` }).end()
    answer.writeHead(206, {
      ...headers,
      'content-length': to - from,
      'content-range': `bytes ${from}-${to - 1}/${size}`,
    })
    return send(from, to)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** `GET bytes=0-0`, in order. */
    requests,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
