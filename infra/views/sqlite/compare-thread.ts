import { parentPort, workerData } from 'node:worker_threads'
import { errorMessage } from '../../../src/async/errors.ts'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { Compared, ToCompare } from './compare-apart.ts'
import { openViewStore } from './view-store.ts'

const views = openViewStore(workerData as string)

const compared = ({ first, second }: ToCompare): Compared => {
  try {
    return { kind: 'compared', differences: views.compare(first, second) }
  } catch (error) {
    return {
      kind: 'failed',
      message: errorMessage(error),
      isUnavailable: error instanceof UnavailableError,
    }
  }
}

parentPort?.on('message', (pair: ToCompare) => parentPort?.postMessage(compared(pair)))
