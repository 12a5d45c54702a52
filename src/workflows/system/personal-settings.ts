import { join } from 'node:path'
import { Text } from '../../domain/kernel/codecs.ts'
import { atOnce, type Settings } from '../../domain/kernel/setting.ts'
import { OnOff } from '../setting-codecs.ts'

/* Values of persons that are kept beside the log, where they can be erased. */

export const personalSettings = {
  personalValues: {
    codec: OnOff,
    default: 'off',
    archive: atOnce('on'),
    description:
      'on: actors, reasons, submitters and recipients are in the log by reference, and can be erased; what was stored before stays as it is',
  },
  personalFolder: {
    codec: Text,
    default: (home: string) => join(home, 'personal'),
    value: 'folder',
    description:
      'folder of those values (default <home>/personal). The archive has one: nodes with homes of their own share it',
  },
  personalKeyFolder: {
    codec: Text,
    default: (home: string) => join(home, 'personal-key'),
    value: 'folder',
    description: 'folder of the key that they are encrypted by (default <home>/personal-key); in no backup',
  },
} satisfies Settings
