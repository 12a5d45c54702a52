import { createRequire } from 'node:module'
import type { SingleBar } from 'cli-progress'
import type Table from 'cli-table3'
import type { stringify } from 'csv-stringify/sync'

/* Packages that write for people and spreadsheets: each is loaded with its first use, for most commands need none. */

const load = createRequire(import.meta.url)

export const barClass = (): typeof SingleBar => load('cli-progress').SingleBar
export const tableClass = (): typeof Table => load('cli-table3')
export const csvWriter = (): typeof stringify => load('csv-stringify/sync').stringify
