import { expect, it } from 'vitest'
import { events } from '#src/domain/fixity/events.ts'
import { reportEvents } from '#src/domain/fixity/reports/events.ts'
import addresses from './stored-addresses.json' with { type: 'json' }
import items from './stored-events.json' with { type: 'json' }

const metadata = { actor: 'ada', causationId: 'cause', correlationId: 'cause', schema: 1 }
const sha256 = { algorithm: 'sha-256', value: 'ab'.repeat(32) }

interface Stored {
  readonly evidence: { readonly audit: object }
}

/** As a Fonds before this one stored it. */
const stored = (type: string, change: (data: Stored) => object) => {
  const example = items.find((one) => one.type === type && one.schema === 1)!
  return events.read({ type, data: change(example.data as unknown as Stored), metadata })
}

it('a first reading, which schema 1 told in free text, is a basis', () => {
  expect(
    stored('ContentRecorded', (data) => ({ ...data, checksums: [sha256], recordedFrom: 'first reading' })),
  ).toMatchObject({ right: { data: { checksums: [{ ...sha256, basis: 'first-reading' }] } } })
  expect(
    stored('ContentRecorded', (data) => ({ ...data, checksums: [sha256], recordedFrom: 'SHA256SUMS' })),
  ).toMatchObject({ right: { data: { checksums: [sha256] } } })
})

it('so is it in the evidence of a decision', () => {
  const decided = (source: string) =>
    stored('FixityDecided', (data) => ({
      ...data,
      evidence: { ...data.evidence, audit: { ...data.evidence.audit, checksums: [sha256], source } },
    }))
  expect(decided('first reading')).toMatchObject({
    right: { data: { evidence: { audit: { checksums: [{ ...sha256, basis: 'first-reading' }] } } } },
  })
  expect(decided('SHA256SUMS')).toMatchObject({
    right: { data: { evidence: { audit: { checksums: [sha256] } } } },
  })
})

it('a mail address, which schema 1 had in the log, is read as one', () => {
  const [assigned, sent] = addresses
  expect(events.read({ ...assigned!, metadata })).toMatchObject({
    right: { data: { ...assigned!.data, to: 'mailto:ada@archive.example' } },
  })
  expect(reportEvents.read({ ...sent!, metadata })).toMatchObject({
    right: { data: { to: ['mailto:ada@archive.example'], refused: ['mailto:bob@archive.example'] } },
  })
})
