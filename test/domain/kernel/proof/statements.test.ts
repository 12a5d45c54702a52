import { right } from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import {
  sealedReportRecord,
  sealedStreamsEvents,
  sealedStreamsRecord,
  sealedViewRecord,
} from '#src/domain/kernel/proof/statements.ts'
import { specify } from '../../../given.ts'

const at = '2026-11-30T12:00:00.000Z'
const by = { type: 'Seal', actor: 'ada', at } as const
const root = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
const program = { version: '1.0.0', digest: 'd1' }
const view = {
  projection: 'fixity',
  view: 'fixity-items',
  version: 3,
  program,
  position: '9',
  rows: 2,
  root,
  at,
}
const head = { origin: 'a.example/log', size: '9', root }
const report = { report: 'fixity', question: '{}', head, lines: 7, root, at }
const streams = { origin: 'a.example/log', size: '9', streams: 4, root, at }

test('a statement is noted as it was computed, and the same again is another one', () => {
  const viewSealed = { type: 'ViewSealed', data: view } as const
  specify(sealedViewRecord)(viewSealed)
    .when({ ...by, data: view })
    .gives([viewSealed])
  specify(sealedReportRecord)()
    .when({ ...by, data: report })
    .gives([{ type: 'ReportSealed', data: report }])
  const wanted = { ...streams, reason: 'a donor asks' }
  const streamsSealed = { type: 'StreamsSealed', data: wanted } as const
  specify(sealedStreamsRecord)(streamsSealed)
    .when({ ...by, data: wanted })
    .gives([streamsSealed])
})

test('a StreamsSealed that was stored before persons could have it stated is read as it is', () => {
  const metadata = { actor: 'fonds/sealer', causationId: 'c', correlationId: 'c', schema: 1 }
  const read = sealedStreamsEvents.read({ type: 'StreamsSealed', data: streams, metadata })
  expect(read).toEqual(right({ type: 'StreamsSealed', data: streams }))
})
