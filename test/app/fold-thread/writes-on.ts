import { workerData } from 'node:worker_threads'
import { openViewStore } from '../../../infra/views/sqlite/view-store.ts'
import { givingWay } from '../../../src/app/fold-thread/write-turns.ts'

/* Folds one transaction after the other without a pause, until `stop` is not 0. Counts them in `written`. */

const { file, generation, turns, stop, written } = workerData
const viewStore = openViewStore(file)
const { fold } = givingWay(viewStore, turns)
for (let position = 0n; Number(Atomics.load(stop, 0)) === 0; position++) {
  fold(generation, position - 1n, { position, time: null }, ({ things }) => {
    for (let id = 0; id < 200; id++) things?.put({ id: `${id}`, size: Number(position) })
  })
  Atomics.add(written, 0, 1)
}
viewStore.close()
