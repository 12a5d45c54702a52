import type { PostCheckpoint } from '../../src/ports/witness.ts'
import { fetched } from './fetched.ts'

/** Two signatures have 4 kB. */
const mostBytes = 64 * 1024

export const postCheckpoint: PostCheckpoint = async (url, text, signal) => {
  const post = { body: text, contentType: 'text/plain; charset=utf-8' }
  const { status, body } = await fetched({ url, whom: 'the witness', signal, mostBytes, post })
  return { status, body: body.toString() }
}
