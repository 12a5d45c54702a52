import { describe, expect, it } from 'vitest'
import { clientStored } from '../../../../infra/event-store/eventstoredb/event-for-client.ts'
import type { StoredContent } from '../../../../src/domain/kernel/stored-event.ts'

const ours = '{"actor":"ada","causationId":"a","correlationId":"b","schema":1}'
const content = (data: StoredContent['data'], isJson = true): StoredContent => ({
  ...{ id: '0190c3b0-0000-7000-8000-000000000003', type: 'T', data, metadata: ours, isJson },
})

describe('events of another log, for a server that takes no batches', () => {
  it('are written by the client, which writes the same bytes', () => {
    const sent = clientStored(content('{"b":1,"a":"ä"}'))
    expect(sent).toMatchObject({ contentType: 'application/json', data: { b: 1, a: 'ä' } })
    expect(JSON.stringify(sent.data)).toBe('{"b":1,"a":"ä"}')
    // The client takes no subclass of it for bytes.
    expect((sent.metadata as object).constructor).toBe(Uint8Array)
    expect(Buffer.from(sent.metadata as Uint8Array).toString()).toBe(
      `${ours.slice(0, -1)},"$correlationId":"b","$causationId":"a"}`,
    )
    const bytes = clientStored(content(Buffer.of(0, 255), false))
    expect(bytes).toMatchObject({ contentType: 'application/octet-stream', data: new Uint8Array([0, 255]) })
  })

  it.each(['{ "a": 1 }', '{"a":1,"a":2}', '1.0', '{', ''])('or not at all: %s', (data) => {
    expect(() => clientStored(content(data))).toThrow(/byte for byte.*update it/)
  })
})
