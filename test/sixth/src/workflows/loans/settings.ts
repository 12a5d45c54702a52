import { join } from 'node:path'
import { Text } from '../../domain/kernel/codecs.ts'
import { atOnce, type ConfigOf, oneFolder, type Settings } from '../../domain/kernel/setting.ts'
import { Days } from '../setting-codecs.ts'
import type { SystemConfig } from '../system/settings.ts'

export const loansSettings = {
  loansFolder: {
    codec: Text,
    default: (home: string) => join(home, 'slips'),
    value: 'folder',
    archive: oneFolder('/srv/slips'),
    description: 'folder of the slips of loans',
  },
  loansDays: {
    codec: Days,
    default: 14,
    archive: atOnce(28),
    description: 'days until an original is due back',
  },
} satisfies Settings

export type LoansConfig = SystemConfig & ConfigOf<typeof loansSettings>
