import type { PostCheckpoint } from '../../src/ports/witness.ts'
import { post } from './post.ts'

export const postCheckpoint: PostCheckpoint = async (url, text, signal) => {
  const contentType = 'text/plain; charset=utf-8'
  const { status, body } = await post({ url, body: text, contentType, whom: 'the witness', signal })
  return { status, body: body.toString() }
}
