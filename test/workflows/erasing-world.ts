import { isRight } from 'fp-ts/lib/Either.js'
import { expect } from 'vitest'
import { dispatch } from '#src/app/dispatch.ts'
import type { System } from '#src/app/system.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { submissionsTopic } from '#src/domain/ingest/messages.ts'
import { writeMessage } from '#src/domain/kernel/cloud-event.ts'
import { commandsOf } from '#src/workflows/workflow.ts'

/* Archives that keep personal values by reference, for tests of erasing. */

export const on = { personalValues: 'on' } as const

export const by = { actor: 'Ada Brandt of Ghent', reason: 'Ada telephoned from Ghent' }

export const give = async (system: System, name: string, input: object, wanted = by) => {
  const command = commandsOf(system.workflows).find((one) => one.name === name)!
  const done = await dispatch(system, command, input, wanted)
  return isRight(done) ? done.right : expect.fail(JSON.stringify(done.left))
}

export const erase = (system: System, more: object = {}) =>
  give(
    system,
    'personal.erase',
    { person: by.actor, confirmed: true, ...more },
    { actor: 'ben', reason: 'hers' },
  )

export const allEvents = async ({ eventStore }: System) =>
  (await orThrow(eventStore.readAll(-1n, {}, 1000))).events

export const ofType = async (system: System, type: string) =>
  (await allEvents(system)).filter((event) => event.type === type)

/** Events as text. */
export const asText = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one))

export const submission = {
  batch: '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21',
  profile: 'default',
  submitter: 'brandt.ada@example.org',
  notifyTo: ['ben.maes@example.org', 'brandt.ada@example.org'],
  payload: { url: 'https://host.example/letters.checkm', type: 'batch-manifest' },
  mode: 'add',
} as const

/** As another system writes it, which knows nothing of references. */
export const foreignRecord = (system: System, data: object, id: string = submission.batch) =>
  writeMessage(
    {
      id,
      source: 'urn:deposits',
      type: 'batch.submitted',
      time: system.clock.now(),
      data: { ...submission, batch: id, ...data },
    },
    submissionsTopic,
  )
