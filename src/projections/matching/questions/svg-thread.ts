import { parentPort, workerData } from 'node:worker_threads'
import { instance } from '@viz-js/viz'

/* Draws the DOT text it was started with, and ends. */

const viz = await instance()
parentPort?.postMessage(viz.renderString(workerData, { format: 'svg', engine: 'dot' }))
