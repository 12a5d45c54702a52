import { writeMessage } from '#src/domain/kernel/cloud-event.ts'
import { worksTopic } from '#src/domain/matching/messages.ts'
import type { ProducerRecord } from '#src/ports/broker.ts'

const [spec] = worksTopic.messages
const good = (id: string): ProducerRecord =>
  writeMessage(
    {
      id,
      source: 'urn:test',
      type: spec.type,
      time: '2026-01-31T12:00:00.000Z',
      data: { ...spec.example, id },
    },
    worksTopic,
  )

const clefs = '𝄞'.repeat(1200)

/** Records that no one can use, each with a text that is cut within a character in one of two forms; then one to be used. */
export const inHalves = (): readonly ProducerRecord[] => {
  const bad = ['', 'x'].flatMap((shift, i): readonly ProducerRecord[] => {
    const text = shift + clefs
    const record = good(`work-${i}`)
    const value = (data: object) => ({ ...record, value: JSON.stringify({ ...spec.example, ...data }) })
    return [
      value({ id: `work-${i}`, state: shift + '𝄞'.repeat(60) }),
      value({ id: `work-${i}`, sourceVersion: text }),
      value({ id: text }),
      value({ id: `work-${i}`, [`${text}\ud800`]: 1 }),
      { ...record, value: '{"vers\\ud800ion":1}' },
      { ...record, value: `{"id": ${shift}${'𝄞'.repeat(20)}}` },
      { ...record, key: text },
      { ...record, headers: { ...record.headers, ce_type: text } },
      { ...record, headers: { ...record.headers, ce_id: text } },
      { ...record, headers: { ...record.headers, ce_time: text } },
      { ...record, headers: { ...record.headers, ce_specversion: text } },
      { ...record, headers: { ...record.headers, 'content-type': text } },
    ]
  })
  return [...bad, good('the-last')]
}
