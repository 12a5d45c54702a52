/** kafkajs wraps errors in errors: the outermost comes first. */
export const causes = (error: unknown): readonly Error[] => {
  const found: Error[] = []
  for (let one = error; one instanceof Error && !found.includes(one); one = one.cause) found.push(one)
  return found
}

/** Kafka's own name for what went wrong, such as `MESSAGE_TOO_LARGE`; undefined where Kafka did not say. */
export const typeOf = (error: unknown): string | undefined =>
  causes(error)
    .map((one) => (one as Error & { readonly type?: unknown }).type)
    .find((type) => typeof type === 'string')

export const isNotAuthorized = (error: unknown): boolean =>
  typeOf(error)?.endsWith('AUTHORIZATION_FAILED') ?? false

const membership: ReadonlySet<string | undefined> = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'NOT_COORDINATOR_FOR_GROUP',
  'FENCED_INSTANCE_ID',
])

/** True where the group goes on without this member, which then joins again and gets partitions anew. */
export const isMembershipLost = (error: unknown): boolean => membership.has(typeOf(error))

/** kafkajs does not retry these, though they pass when the server is back. */
const passing: ReadonlySet<string> = new Set([
  'KafkaJSNumberOfRetriesExceeded',
  'KafkaJSGroupCoordinatorNotFound',
  'KafkaJSTimeout',
  'KafkaJSLockTimeout',
])

export const isTopicMissing = (error: unknown): boolean => typeOf(error) === 'UNKNOWN_TOPIC_OR_PARTITION'

/** True for what is likely to pass by itself, such as a server that is away. */
export const mayPass = (error: unknown): boolean => {
  if (isTopicMissing(error)) return false
  const all = causes(error)
  const root = all.at(-1) as (Error & { readonly retriable?: boolean }) | undefined
  return root?.retriable === true || all.some(({ name }) => passing.has(name))
}

/** After these kafkajs looks for the leaders anew and joins again, or goes on elsewhere in the partition. */
const recovered: ReadonlySet<string | undefined> = new Set([
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
  'FENCED_LEADER_EPOCH',
  'UNKNOWN_LEADER_EPOCH',
  'UNKNOWN_TOPIC_OR_PARTITION',
  'OFFSET_OUT_OF_RANGE',
])

/** Decoding a response throws these where bytes are not what they should be. */
const ofDecoding: ReadonlySet<string> = new Set([
  'UnreadableBatch',
  'RangeError',
  'TypeError',
  'KafkaJSInvalidVarIntError',
  'KafkaJSInvalidLongError',
])

/** True where a fetch failed for what Kafka says of one of its partitions, or for what stands there. */
export const isOfOnePartition = (error: unknown): boolean => {
  const [outermost] = causes(error)
  if (outermost?.name === 'KafkaJSProtocolError') return !recovered.has(typeOf(error))
  return outermost !== undefined && ofDecoding.has(outermost.name)
}
