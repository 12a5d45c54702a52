import { randomUUID } from 'node:crypto'
import type { SubmittedPayload } from '../../../src/domain/ingest/submission.ts'

/** Hands in one file on the topic, over HTTP. Gives the id of its batch. */
export const submitFile = async (
  address: string,
  payload: Omit<SubmittedPayload, 'type'>,
): Promise<string> => {
  const batch = randomUUID()
  const data = {
    batch,
    profile: 'default',
    submitter: 'ada',
    mode: 'add',
    payload: { ...payload, type: 'file' },
    localIds: [],
  }
  const answer = await fetch(`${address}/api/v1/topics/fonds.ingest.submissions/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: JSON.stringify({ type: 'batch.submitted', data }),
  })
  if (answer.status !== 202) throw new Error(`${answer.status}: ${await answer.text()}`)
  return batch
}
