import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { inflateByHandle } from './warc-inflate.ts'

/* A thread that inflates the files it is told of, and does nothing else with them. Answers with the number of members. */

parentPort?.on('message', (path: string) => parentPort?.postMessage(inflateByHandle(readFileSync(path))))
