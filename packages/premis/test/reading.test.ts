import { isIsoDate } from '@fonds/premis'
import { readPremis, UnreadablePremis } from '@fonds/premis/read'
import { describe, expect, it } from 'vitest'
import { collected } from './documents.ts'

const read = (text: string | readonly Uint8Array[]) =>
  collected(readPremis(typeof text === 'string' ? [Buffer.from(text)] : text))

const v3 = 'xmlns="http://www.loc.gov/premis/v3"'
const named = (name: string, value: string) =>
  `<${name}><${name}Type>UUID</${name}Type><${name}Value>${value}</${name}Value></${name}>`
const event = ({
  id = named('eventIdentifier', 'a'),
  type = 'ingestion',
  date = '2019-05-01T10:00:00+02:00',
  more = '',
}) =>
  `<event ${v3}>${id}\n<eventType>${type}</eventType>\n<eventDateTime>${date}</eventDateTime>${more}</event>`

describe('reading', () => {
  it('PREMIS 2 in a wrapper: the detail is in the event itself', async () => {
    const found =
      await read(`<mets:mets xmlns:mets="http://www.loc.gov/METS/" xmlns:p="info:lc/xmlns/premis-v2"><mets:xmlData>
      <p:event><p:eventIdentifier><p:eventIdentifierType>UUID</p:eventIdentifierType><p:eventIdentifierValue>e1</p:eventIdentifierValue></p:eventIdentifier>
      <p:eventType>virus check</p:eventType><p:eventDateTime>2015-07-23T16:31:26</p:eventDateTime><p:eventDetail>program="Clam AV"</p:eventDetail>
      <p:eventOutcomeInformation><p:eventOutcome>Pass</p:eventOutcome><p:eventOutcomeDetail><p:eventOutcomeDetailNote>clean</p:eventOutcomeDetailNote></p:eventOutcomeDetail></p:eventOutcomeInformation>
      </p:event></mets:xmlData></mets:mets>`)
    expect(found).toEqual([
      {
        kind: 'event',
        line: 2,
        version: '2',
        identifier: { type: 'UUID', value: 'e1' },
        type: 'virus check',
        dateTime: '2015-07-23T16:31:26',
        detail: 'program="Clam AV"',
        outcomes: [{ outcome: 'Pass', note: 'clean' }],
        agents: [],
        objects: [],
      },
    ])
  })

  it('elements of other namespaces in an event are not taken for its own', async () => {
    const more =
      '<eventDetailInformation><eventDetailExtension><eventType xmlns="urn:x">no</eventType></eventDetailExtension></eventDetailInformation>'
    expect(await read(event({ more }))).toMatchObject([{ type: 'ingestion' }])
  })

  it('text in any chunks, and in UTF-16', async () => {
    const text = event({ type: 'größer' })
    const bytes = Buffer.from(text)
    const single = [...bytes].map((byte) => Uint8Array.of(byte))
    expect(await read(single)).toEqual(await read(text))
    expect(await read([Buffer.from(`\ufeff${text}`, 'utf16le')])).toEqual(await read(text))
  })

  it.each([
    ['text that is no XML', 'hello', /line 1/],
    ['XML that breaks off', `<premis ${v3}><object>`, /no well-formed XML: line 1/],
    [
      'a document type',
      `<!DOCTYPE premis [<!ENTITY x SYSTEM "file:///etc/passwd">]><premis ${v3}/>`,
      /document type/,
    ],
    ['an entity that nobody declared', event({ type: '&x;' }), /line 2/],
    ['no event', `<premis ${v3}/>`, /has no event and no agent/],
    ['an event of another namespace', '<event xmlns="urn:x"/>', /namespace urn:x, and none of PREMIS/],
    ['an event without identifier', event({ id: '' }), /^line 1: event has no eventIdentifier$/],
    ['two identifiers', event({ id: named('eventIdentifier', 'a').repeat(2) }), /one eventIdentifier/],
    [
      'an empty identifier',
      event({ id: named('eventIdentifier', ' ') }),
      /^line 1: eventIdentifierValue is empty$/,
    ],
    ['an empty type', event({ type: '' }), /^line 2: eventType is empty$/],
    [
      'a date that is none (Q118)',
      event({ date: 'yesterday' }),
      /^line 3: eventDateTime is no date of ISO 8601: "yesterday"$/,
    ],
    ['an empty date', event({ date: '' }), /^line 3: eventDateTime is empty$/],
    ['bytes that are no UTF-8', [Uint8Array.of(0x3c, 0x61, 0xff)], /is no text in utf-8/],
    ['an encoding that nobody knows', '<?xml version="1.0" encoding="klingon"?><a/>', /encoding klingon/],
    ['elements too deep', '<a>'.repeat(101), /more than 100 elements/],
    [
      'an event too long',
      event({ type: 'x'.repeat(500_001) }),
      /^line 1: event has more than 500,000 characters$/,
    ],
  ])('refuses %s', async (_, text, says) => {
    const failed = await read(text).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(UnreadablePremis)
    expect((failed as Error).message).toMatch(says)
  })

  it.each([
    ['2019', true],
    ['2019-05', true],
    ['2019-05-01', true],
    ['2019-05-01T10:00', true],
    ['2019-05-01T10:00:00.123+0200', true],
    ['2019-05-01/2019-05-03', true],
    ['2024-02-29', true],
    ['2023-02-29', false],
    ['2019-13', false],
    ['2019-05T10:00', false],
    ['2019-05-01 10:00', false],
    ['2019?', false],
    ['', false],
    ['1/2/3', false],
  ])('%s is a date of ISO 8601: %s', (text, expected) => expect(isIsoDate(text)).toBe(expected))
})
