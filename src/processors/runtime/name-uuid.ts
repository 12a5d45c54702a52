import { hash } from 'node:crypto'
import { parse } from 'uuid'

const prefixBytes = 16
const lineBreak = 10

/**
 * Returns UUIDs of version 5 in a namespace (RFC 9562, 5.5), for names given as lines: the same name has the same one,
 * for ever. Takes one call of the hash. The lines are not joined to a text and their buffer is reused: millions of
 * names make no garbage.
 */
export const nameUuids = (namespace: string): ((...lines: readonly string[]) => string) => {
  const prefix = parse(namespace)
  let room = Buffer.concat([prefix], 4096)
  const hashed = (lines: readonly string[]): Buffer => {
    let most = prefixBytes
    for (const line of lines) most += line.length * 3 + 1
    if (room.length < most) room = Buffer.concat([prefix], most)
    let end = prefixBytes
    for (const line of lines) {
      end += room.write(line, end)
      room[end++] = lineBreak
    }
    return room.subarray(0, end - 1)
  }
  return (...lines) => {
    const digest = hash('sha1', hashed(lines))
    const variant = variants[Number.parseInt(digest.charAt(16), 16) & 3]
    return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
  }
}

/** The two highest bits are 1 and 0. */
const variants = ['8', '9', 'a', 'b']
