import kafkajs, { type CompressionTypes } from 'kafkajs'
import { InvalidSetting } from '../../../src/async/errors.ts'
import { causes } from './errors.ts'
import type { KafkaSettings } from './settings.ts'

type Name = KafkaSettings['compression']

const types: Readonly<Record<Name, CompressionTypes>> = {
  none: kafkajs.CompressionTypes.None,
  gzip: kafkajs.CompressionTypes.GZIP,
  snappy: kafkajs.CompressionTypes.Snappy,
  lz4: kafkajs.CompressionTypes.LZ4,
  zstd: kafkajs.CompressionTypes.ZSTD,
}

/** Packages that add a codec to kafkajs, by the name that kafkajs has for it. */
const plugIns = [
  { type: 'Snappy', from: 'kafkajs-snappy', codec: 'plugIn' },
  { type: 'LZ4', from: 'kafkajs-lz4', codec: 'new plugIn().codec' },
  { type: 'ZSTD', from: '@kafkajs/zstd', codec: 'plugIn()' },
] as const

/** Throws `InvalidSetting` where this process cannot compress that way, and says how to make it. */
export const compressionType = (name: Name): CompressionTypes => {
  const type = types[name]
  if (type === kafkajs.CompressionTypes.None) return type
  try {
    kafkajs.CompressionCodecs[type]()
    return type
  } catch (error) {
    const how = missingCodec(error)
    if (how)
      throw new InvalidSetting(`FONDS_KAFKA_COMPRESSION is ${name}, but ${how}; or set it to gzip or none`)
    throw error
  }
}

/** What to do about an error that is about a codec kafkajs does not have; undefined for any other error. */
export const missingCodec = (error: unknown): string | undefined => {
  const found = causes(error).find(({ name }) => name === 'KafkaJSNotImplemented')
  const plugIn = found && plugIns.find(({ type }) => found.message.startsWith(type))
  if (!plugIn) return undefined
  const { type, from, codec } = plugIn
  return (
    `${type} compression needs a plug-in: run "npm install ${from}", write a file codec.mjs with ` +
    `"import kafkajs from 'kafkajs'; import plugIn from '${from}'; ` +
    `kafkajs.CompressionCodecs[kafkajs.CompressionTypes.${type}] = ${codec}", ` +
    `and start with NODE_OPTIONS="--import ./codec.mjs"`
  )
}
