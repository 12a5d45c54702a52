import { hash } from 'node:crypto'
import { parse } from 'uuid'

/** UUIDs of version 5 in a namespace (RFC 9562, 5.5): the same name has the same one, for ever. In one call of the hash. */
export const nameUuids = (namespace: string): ((name: string) => string) => {
  const prefix = parse(namespace)
  return (name) => {
    const digest = hash('sha1', Buffer.concat([prefix, Buffer.from(name)]))
    const variant = variants[Number.parseInt(digest.charAt(16), 16) & 3]
    return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
  }
}

/** The two highest bits are 1 and 0. */
const variants = ['8', '9', 'a', 'b']
