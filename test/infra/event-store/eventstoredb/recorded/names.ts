import type { ServiceError } from '@grpc/grpc-js'
import type { Version } from '../../../../fixtures/eventstoredb-record.ts'
import { cameOf, errorOf, type Step, stepsOf } from './record.ts'

export const namesScenario = 'delete: names that trailers cannot hold'

/**
 * A failure whose trailers hold the stream's name, as a server sends it: raw. A name beyond printable ASCII makes an HTTP
 * 500 of the whole answer, one that ends in a space is lost on the way.
 */
export const withRawName = (
  version: Version,
  call: Step['call'],
  name: string,
  error: ServiceError,
): ServiceError => {
  const { code, metadata } = error
  const exception = metadata.get('exception')[0]
  if (exception !== 'stream-deleted' && exception !== 'wrong-expected-version') return error
  if (!/^[\x20-\x7e]*$/.test(name)) return errorOf(lastOf(version, call, 'é'))
  metadata.remove('stream-name')
  if (name === name.trim()) metadata.set('stream-name', name)
  const [expected, actual] = ['expected-version', 'actual-version'].map((key) => metadata.get(key)[0])
  const details =
    exception === 'stream-deleted'
      ? `Event stream '${name}' is deleted.`
      : `Delete failed due to WrongExpectedVersion. Stream: ${name}, Expected version: ${expected}, Actual version: ${actual || '-1'}`
  return Object.assign(new Error(details), { code, details, metadata })
}

/** The recorded call of this kind that failed. */
const lastOf = (version: Version, call: Step['call'], stream: string) => {
  const steps = stepsOf(namesScenario).filter((step) => step.call === call && step.stream === stream)
  for (const step of steps) {
    const came = cameOf(version, namesScenario, step)
    if (came.status.code !== 'OK') return came
  }
  throw new Error(`no ${call} of ${stream} failed in the record`)
}
