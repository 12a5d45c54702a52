import { hash } from 'node:crypto'
import { parse } from 'uuid'

const prefixBytes = 16

/** UUIDs of version 5 in a namespace (RFC 9562, 5.5): the same name has the same one, for ever. In one call of the hash. */
export const nameUuids = (namespace: string): ((name: string) => string) => {
  const prefix = parse(namespace)
  /** Of the name before, too: millions of names make no garbage. */
  let room = Buffer.concat([prefix], 4096)
  const hashed = (name: string): Buffer => {
    const most = prefixBytes + name.length * 3
    if (room.length < most) room = Buffer.concat([prefix], most)
    return room.subarray(0, prefixBytes + room.write(name, prefixBytes))
  }
  return (name) => {
    const digest = hash('sha1', hashed(name))
    const variant = variants[Number.parseInt(digest.charAt(16), 16) & 3]
    return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
  }
}

/** The two highest bits are 1 and 0. */
const variants = ['8', '9', 'a', 'b']
