import { parentPort } from 'node:worker_threads'
import type { HttpRequest } from '@fonds/download'
import type { FromThread, ToThread } from '#src/async/threads/thread-slot.ts'
import type { HttpReply } from '#src/workers/http/http-messages.ts'

/* A thread of the HTTP client for tests: answers each address at once, and breaks or ends at those named so. */

const port = parentPort
if (!port) throw new Error('run by the HTTP client')
const post = (message: FromThread<HttpReply>) => port.postMessage(message)
/** What is still to be told, a word each time it is told to go on. */
let words: HttpReply[] = []
let address = ''

const chunk = (text: string): HttpReply => ({ kind: 'chunk', bytes: Buffer.from(text) })

port.on('message', (message: ToThread<HttpRequest>) => {
  if (message.kind === 'abort') return post({ kind: 'done', error: 'aborted' })
  if (message.kind === 'job') {
    address = message.job.address
    if (address === 'throws') throw new Error('a bug in the library')
    if (address === 'ends') process.exit(3)
    words = [chunk('what was '), chunk('asked for'), { kind: 'done' }]
    post({ kind: 'begun' })
    return post({ kind: 'answer', status: 200, headers: [] })
  }
  if (address === 'throws in the body') throw new Error('a bug in the library')
  post(address === 'endless' ? chunk('more') : (words.shift() ?? { kind: 'done' }))
})
post({ kind: 'ready' })
