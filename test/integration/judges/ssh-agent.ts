import type { KeyObject } from 'node:crypto'
import { hash, sign } from 'node:crypto'
import { createServer, type Server } from 'node:net'

/*
 * An agent of one Ed25519 key, which signs for whoever asks at a socket: messages of draft-miller-ssh-agent, each behind its length.
 * Programs that want their key from an agent get it here.
 */

const text = (value: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(value as string)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

const kinds = { failure: 5, list: 11, listed: 12, sign: 13, signed: 14 }
const algorithm = text('ssh-ed25519')

/** `raw`: the 32 bytes of its public key. */
export const startAgent = (socket: string, key: KeyObject, raw: Uint8Array) => {
  const blob = Buffer.concat([algorithm, text(raw)])
  const answer = (message: Buffer): Buffer => {
    if (message[0] === kinds.list)
      return Buffer.concat([Buffer.of(kinds.listed, 0, 0, 0, 1), text(blob), text('witness')])
    if (message[0] !== kinds.sign) return Buffer.of(kinds.failure)
    const at = 1 + 4 + message.readUInt32BE(1)
    const data = message.subarray(at + 4, at + 4 + message.readUInt32BE(at))
    return Buffer.concat([
      Buffer.of(kinds.signed),
      text(Buffer.concat([algorithm, text(sign(null, data, key))])),
    ])
  }
  const server: Server = createServer((connection) => {
    let begun = Buffer.alloc(0)
    connection.on('data', (bytes) => {
      begun = Buffer.concat([begun, bytes as Buffer])
      while (begun.length >= 4 && begun.length >= 4 + begun.readUInt32BE(0)) {
        const end = 4 + begun.readUInt32BE(0)
        connection.write(text(answer(begun.subarray(4, end))))
        begun = begun.subarray(end)
      }
    })
    connection.on('error', () => {})
  }).listen(socket)
  const fingerprint = `SHA256:${hash('sha256', blob, 'base64').replace(/=+$/, '')}`
  return { fingerprint, close: () => void server.close() }
}
