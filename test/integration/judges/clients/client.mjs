/* Drives a log with KurrentDB's Node client: one line a step, the same in every language (see gateway-clients). */
import { createRequire } from 'node:module'

const [address, prefix, modules] = process.argv.slice(2)
const require = createRequire(`${modules}/`)
const {
  ANY,
  BACKWARDS,
  END,
  KurrentDBClient,
  NO_STREAM,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
  jsonEvent,
  streamNameFilter,
} = require('@kurrent/kurrentdb-client')

const client = KurrentDBClient.connectionString(address)
const stream = `${prefix}-1`
const some = (count, data = {}) => Array.from({ length: count }, () => jsonEvent({ type: 'Tested', data }))
const append = (streamState, events) => client.appendToStream(stream, events, { streamState })
const say = (...words) => console.log(...words)

const taken = async (events, count = Number.POSITIVE_INFINITY) => {
  const revisions = []
  for await (const { event } of events) if (revisions.push(event.revision) >= count) break
  return revisions.join()
}
const read = (options, name = stream) => taken(client.readStream(name, options))
const refused = async (work, known, word) => {
  try {
    await work
  } catch (error) {
    return error instanceof known ? word : `otherwise: ${error}`
  }
  return 'accepted'
}

say('appended', String((await append(NO_STREAM, some(3))).nextExpectedRevision))
say('again', await refused(append(NO_STREAM, some(1)), WrongExpectedVersionError, 'conflict'))
say('read', await read())
say('back', await read({ direction: BACKWARDS, fromRevision: END, maxCount: 2 }))
say('beyond', (await read({ fromRevision: 99n })) || 'none')
say('missing', await refused(read({}, `${stream}x`), StreamNotFoundError, 'not found'))

const one = client.subscribeToStream(stream, { fromRevision: START })
const seen = taken(one, 4)
one.once('data', () => append(2n, some(1)))
say('subscribed', await seen)
const filter = streamNameFilter({ regex: `^${prefix}-` })
say('filtered', await taken(client.subscribeToAll({ fromPosition: START, filter }), 4))

await client.setStreamMetadata(stream, { maxCount: 2 }, { streamState: NO_STREAM })
say('kept', await read())
await client.deleteStream(stream, { expectedRevision: 3n })
say('deleted', await refused(read(), StreamNotFoundError, 'not found'))
await append(NO_STREAM, some(1))
say('revived', await read())
say('too large', await refused(append(4n, some(1, 'x'.repeat(2_000_000))), Error, 'refused'))
await client.tombstoneStream(stream, { expectedRevision: 4n })
say('tombstoned', await refused(append(ANY, some(1)), StreamDeletedError, 'deleted'))
await client.dispose()
