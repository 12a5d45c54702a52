import { parentPort, workerData } from 'node:worker_threads'
import { damageIn } from './damage.ts'

parentPort?.postMessage(damageIn(String(workerData)))
