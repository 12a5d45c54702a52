import { pathOf } from '../../address/address.ts'

export const letterAt = (id: string): string => pathOf('/log/dead-letters/:id', { id })

/** The dead letters of one reason. */
export const lettersAt = (reason: string, topic: string): string =>
  `/log/dead-letters?${new URLSearchParams({ reason, topic })}`

/** One setting of the archive. */
export const settingAt = (setting: string): string => pathOf('/log/settings/:setting', { setting })
