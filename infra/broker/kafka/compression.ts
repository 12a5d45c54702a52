import kafkajs, { type CompressionTypes } from 'kafkajs'
import type { KafkaSettings } from './settings.ts'

export const compressionTypes: Readonly<Record<KafkaSettings['compression'], CompressionTypes>> = {
  none: kafkajs.CompressionTypes.None,
  gzip: kafkajs.CompressionTypes.GZIP,
  snappy: kafkajs.CompressionTypes.Snappy,
  lz4: kafkajs.CompressionTypes.LZ4,
  zstd: kafkajs.CompressionTypes.ZSTD,
}
