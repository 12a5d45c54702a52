import { pathOf } from '../../address/address.ts'

export const graphAt = (work: string): string => pathOf('/matching/graphs/:work', { work })
