import type kafkajs from 'kafkajs'
import type { TopicSpec } from '../../../src/domain/kernel/message.ts'

/* Records that no producer should send: none of them is a message. */

type Headers = NonNullable<kafkajs.Message['headers']>

/** One for this topic, of any kind. */
export const garbageFor = (topic: TopicSpec, chance: () => number): kafkajs.Message => {
  const pick = <A>(list: readonly A[]): A => list[Math.floor(chance() * list.length)] as A
  const bytes = (most: number) =>
    Buffer.from(Array.from({ length: Math.floor(chance() * most) }, () => Math.floor(chance() * 256)))
  const headers: Headers = {
    ce_specversion: '1.0',
    ce_id: `garbage ${Math.floor(chance() * 1e12)}`,
    ce_source: 'urn:test:garbage',
    ce_type: pick(topic.messages).type,
    'content-type': 'application/json',
  }
  const without = (name: string): Headers =>
    Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name))
  const some = JSON.stringify({ store: 'elsewhere', path: 'a', id: 'b', text: bytes(40).toString('base64') })
  const key = pick([null, 'a', bytes(10), 'key '.repeat(20)])
  const kinds: readonly (() => kafkajs.Message)[] = [
    () => ({ key, value: bytes(200) }),
    () => ({ key, headers, value: Buffer.concat([Buffer.from([0xff]), bytes(100)]) }),
    () => ({ key, headers, value: some.slice(0, Math.floor(chance() * some.length)) }),
    () => ({ key, headers, value: pick(['1', '"text"', 'true', 'null', '[]', '[[{}]]', '1e999']) }),
    () => ({ key, headers, value: null }),
    () => ({ key, headers, value: '' }),
    () => ({ key, headers: { ...headers, ce_specversion: pick(['9', '', 'x']) }, value: some }),
    () => ({ key, headers: { ...headers, ce_type: pick(['', 'none.such', '\0']) }, value: some }),
    () => ({ key, headers: without(pick(['ce_id', 'ce_source', 'ce_type'])), value: some }),
    () => ({ key, headers: { ...headers, ce_id: Buffer.from([0xfe]) }, value: some }),
    () => ({ key, headers: { 'content-type': 'application/cloudevents+json' }, value: some }),
    () => ({ key, headers, value: '['.repeat(2000) }),
    () => ({ key, headers, value: `"${'x'.repeat(chance() < 0.02 ? 400_000 : 2000)}"` }),
  ]
  return pick(kinds)()
}
