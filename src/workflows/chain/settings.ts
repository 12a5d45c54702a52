import * as t from 'io-ts'
import { ruleNames, rulesIn } from '../../domain/chain/rules.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { atStart, type ConfigOf, type Settings } from '../../domain/kernel/setting.ts'
import type { StorageConfig } from '../setting-codecs.ts'
import type { SystemConfig } from '../system/settings.ts'

const Rules = t.refinement(
  Text,
  (s) => rulesIn(s) !== undefined,
  `none, or rules with commas between (${ruleNames.join(', ')})`,
)
const StoreName = t.refinement(
  t.string,
  (s) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(s),
  'store name (letters, digits, dot, dash, underscore; at most 64)',
)

export const chainSettings = {
  chain: {
    codec: Rules,
    default: 'none',
    value: 'rules',
    archive: atStart('fixity'),
    description:
      'which rules pass on to other workflows what ingest stored: fixity has it checked, indexing has its archive files indexed; none, or names with commas between',
  },
  chainStore: {
    codec: StoreName,
    default: 'storage',
    value: 'store',
    archive: atStart('storage'),
    description:
      'name that the storage root of ingest has as a store of fixity, and as a repository of indexing',
  },
} satisfies Settings

/** Settings that the chain sees: its own, and where ingest stores. */
export type ChainConfig = SystemConfig & StorageConfig & ConfigOf<typeof chainSettings>
