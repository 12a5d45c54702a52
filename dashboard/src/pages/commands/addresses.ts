import { pathOf } from '../../address/address.ts'

/** An operator's command with its fields filled in, for a person to look at. */
export const commandAt = (name: string, input: Readonly<Record<string, string | number>>): string => {
  const fields = Object.entries(input).map(([field, value]) => [field, String(value)])
  return `${pathOf('/do/:command', { command: name })}?${new URLSearchParams(fields)}`
}
