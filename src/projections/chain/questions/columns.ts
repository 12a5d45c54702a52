import { rulesIn } from '../../../domain/chain/rules.ts'
import { dossiers } from '../../../domain/chain/views.ts'
import { bytes } from '../../../domain/kernel/amounts.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import type { Asking } from '../../runtime/question.ts'
import { type Column, type Tone, toTheSecond } from '../../runtime/shown.ts'

const tones: Readonly<Record<string, Tone>> = {
  done: 'good',
  'at-risk': 'bad',
  failed: 'bad',
  'not indexed': 'bad',
  lost: 'bad',
  parked: 'warning',
  working: 'warning',
  withdrawn: 'quiet',
}

export const stateColumn: Column = { key: 'state', tone: (value) => tones[String(value)] }

export const lineColumns: readonly Column[] = [
  { key: 'object', isWhole: true },
  stateColumn,
  { key: 'since', show: toTheSecond },
  { key: 'version' },
  { key: 'bytes', title: 'size', show: (value) => bytes(Number(value)) },
  { key: 'parts' },
  { key: 'verified' },
  { key: 'failing', title: 'not well' },
]

/** No rule is on: what was folded before is old, and nothing may be concluded from it. */
export const offIn = (
  { shape }: Pick<ViewStore, 'shape'>,
  { settings }: Pick<Asking, 'settings'>,
): typeof off | undefined => {
  const setting = settings.list().find((one) => one.setting === 'chain')
  const isOn = setting?.here !== undefined && rulesIn(setting.here)?.length !== 0
  return isOn && shape(dossiers.name) ? undefined : off
}

const off = {
  code: 'chain-off',
  message: 'no rule of the chain is on in this archive: nothing is passed on from ingest',
  hint: '`fonds settings set chain fixity` switches one on from the next start',
} as const
