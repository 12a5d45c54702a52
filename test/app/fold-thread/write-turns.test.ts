import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openViewStore } from '#infra/views/sqlite/view-store.ts'
import { sharedFlag } from '#src/app/fold-thread/messages.ts'
import { shareTurns, takingTurns } from '#src/app/fold-thread/write-turns.ts'
import type { Generation } from '#src/ports/view-store.ts'

const shape = {
  name: 'things',
  description: 'Things.',
  key: ['id'],
  columns: { id: 'text', size: 'integer' },
  history: {},
} as const

it('the main thread’s turn comes next, however much the other one writes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-turns-'))
  const file = join(folder, 'views.db')
  const turns = shareTurns()
  const viewStore = takingTurns(openViewStore(file), turns)
  const [mine, theirs] = ['mine', 'theirs'].map((name): Generation => {
    const made = viewStore.create(name, 1, name === 'mine' ? [] : [shape])
    viewStore.promote(made)
    return { ...made, status: 'live' }
  }) as [Generation, Generation]
  const [stop, written] = [sharedFlag(), sharedFlag()]
  const thread = new Worker(new URL('./writes-on.ts', import.meta.url), {
    workerData: { file, generation: theirs, turns, stop, written },
  })
  onTestFinished(async () => {
    await thread.terminate()
    viewStore.close()
    rmSync(folder, { recursive: true })
  })
  await vi.waitUntil(() => Atomics.load(written, 0) > 0)

  for (let position = 0n; position < 60n; position++) {
    expect(viewStore.fold(mine, position - 1n, { position, time: null }, () => {})).toMatchObject({
      _tag: 'Right',
    })
    // It throws where another one writes.
    viewStore.dropHistory(theirs, '2026-01-01T00:00:00.000Z')
  }
  const before = Atomics.load(written, 0)
  await vi.waitUntil(() => Atomics.load(written, 0) > before)
  Atomics.store(stop, 0, 1)
  await once(thread, 'exit')
})
