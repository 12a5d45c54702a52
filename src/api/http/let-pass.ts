import { finished, type Readable } from 'node:stream'

/** Most bytes of a request's body; forms are larger. */
export const bodyLimit = 10 * 1024 * 1024

const maxDiscardedBytes = 10 * bodyLimit

/** A client that is still sending when the connection is closed never sees the answer. */
export const letPass = (body: Readable): Promise<void> =>
  new Promise((resolve) => {
    let bytes = 0
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxDiscardedBytes) end()
    }
    const end = () => {
      body.off('data', count).pause()
      resolve()
    }
    body.on('data', count).resume()
    finished(body, end)
  })
