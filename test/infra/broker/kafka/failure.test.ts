import { describe, expect, it } from 'vitest'
import { UnreadableBatch } from '../../../../infra/broker/kafka/codecs/output.ts'
import { isMembershipLost, mayPass, typeOf } from '../../../../infra/broker/kafka/errors.ts'
import { failureOf } from '../../../../infra/broker/kafka/failure.ts'

/** As kafkajs makes them: Kafka's name for the fault in `type`, wrapped in other errors. */
const kafkaError = (type: string, retriable = false) =>
  Object.assign(new Error(`Kafka says ${type}`), { name: 'KafkaJSProtocolError', type, retriable })
const wrapped = (error: Error) =>
  Object.assign(new Error(error.message, { cause: error }), { name: 'KafkaJSNumberOfRetriesExceeded' })

const call = { what: 'write to topic t', grant: 'WRITE on topic p-t', topic: 't' }

describe('failure', () => {
  it.each([
    kafkaError('UNKNOWN_TOPIC_OR_PARTITION'),
    kafkaError('INVALID_TOPIC_EXCEPTION'),
    wrapped(kafkaError('UNKNOWN_TOPIC_OR_PARTITION')),
  ])('of a topic that is not there names it as we do', (error) => {
    expect(failureOf(error, call)).toEqual({ kind: 'UnknownTopic', topic: 't' })
  })

  it.each(['TOPIC', 'GROUP', 'CLUSTER'])('of %s authorization says what to grant', (what) => {
    const failure = failureOf(kafkaError(`${what}_AUTHORIZATION_FAILED`), call)
    expect(failure).toEqual({
      kind: 'Forbidden',
      reason: 'Kafka does not let us write to topic t: grant our user WRITE on topic p-t',
    })
  })

  it('of a log-in says what to check', () => {
    const error = Object.assign(new Error('bad password'), { name: 'KafkaJSSASLAuthenticationError' })
    expect(failureOf(error, call)).toMatchObject({
      kind: 'Forbidden',
      reason: expect.stringContaining('FONDS_KAFKA_PASSWORD'),
    })
  })

  it('of anything else may pass, and says what was tried and why it did not work', () => {
    for (const error of [new Error('no route'), kafkaError('NOT_ENOUGH_REPLICAS'), new TypeError('no route')])
      expect(failureOf(error, call)).toMatchObject({
        kind: 'Unavailable',
        reason: expect.stringMatching(/write to topic t.*(no route|NOT_ENOUGH_REPLICAS)/),
      })
  })

  it.each([
    [{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'FONDS_KAFKA_CA_FILE'],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'FONDS_KAFKA_CA_FILE'],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'advertised.listeners'],
    [{ code: 'CERT_HAS_EXPIRED' }, 'clock'],
    [{ code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }, 'FONDS_KAFKA_CERT_FILE'],
    [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'FONDS_KAFKA_TLS'],
    [{ type: 'ILLEGAL_SASL_STATE' }, 'FONDS_KAFKA_SASL'],
    [{ name: 'KafkaJSConnectionClosedError' }, 'FONDS_KAFKA_TLS=on'],
    [{ code: 'ECONNREFUSED' }, 'check that Kafka runs'],
  ])('of connecting, %o, says what to look at', (signs, says) => {
    const error = Object.assign(new Error('Connection error: it did not work.\n'), signs)
    expect(failureOf(wrapped(error), call)).toEqual({
      kind: 'Unavailable',
      reason: expect.stringMatching(/^could not write to topic t: Connection error: it did not work; [^;]+$/),
    })
    expect(failureOf(wrapped(error), call)).toMatchObject({ reason: expect.stringContaining(says) })
  })

  it('of reading what cannot be read says what to do about it', () => {
    const read = { what: 'read topic t, partition 1, from offset 7 on', grant: 'READ', reads: true } as const
    expect(failureOf(new UnreadableBatch('its LZ4 frame ends early'), read)).toEqual({
      kind: 'Unavailable',
      reason: expect.stringMatching(
        /^could not read topic t, partition 1, from offset 7 on: a batch there cannot be read \(its LZ4 frame ends early\); .*--reset-offsets`$/,
      ),
    })
    expect(failureOf(kafkaError('KAFKA_STORAGE_ERROR'), read)).toMatchObject({
      reason: expect.stringContaining('Kafka says'),
    })
    expect(failureOf(new Error('no route'), read)).toMatchObject({
      reason: expect.stringContaining('check that Kafka runs'),
    })
  })
})

describe('errors', () => {
  it('are told apart by the cause', () => {
    expect(typeOf(wrapped(kafkaError('REBALANCE_IN_PROGRESS')))).toBe('REBALANCE_IN_PROGRESS')
    expect(typeOf('a string')).toBeUndefined()
    expect(isMembershipLost(kafkaError('UNKNOWN_MEMBER_ID'))).toBe(true)
    expect(isMembershipLost(kafkaError('NOT_ENOUGH_REPLICAS'))).toBe(false)
  })

  it('pass by themselves when kafkajs says so or gave up trying', () => {
    expect(mayPass(wrapped(new Error('connect ECONNREFUSED')))).toBe(true)
    expect(mayPass(kafkaError('LEADER_NOT_AVAILABLE', true))).toBe(true)
    expect(mayPass(kafkaError('GROUP_AUTHORIZATION_FAILED'))).toBe(false)
    expect(mayPass(new TypeError('a bug'))).toBe(false)
  })

  it('that are their own cause do not hang', () => {
    const error = new Error('round')
    error.cause = error
    expect(typeOf(error)).toBeUndefined()
  })
})
