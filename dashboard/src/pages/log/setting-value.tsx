import type { Answer as AnswerOf } from '../../api/client.ts'
import { Recipients } from '../../parts/actor.tsx'
import { Name } from '../../parts/name.tsx'

export type Setting = AnswerOf<'/api/v1/settings'>['settings'][number]

const sources: Readonly<Record<Setting['from'], string>> = {
  flag: 'a flag of the process that answers',
  environment: 'a variable of the process that answers',
  'config file': 'the config file of the process that answers',
  log: 'the log',
  default: 'the default',
}

/** What holds in the process that answers, and where that comes from. */
export const SettingValue = ({ of: { setting, here, from, value } }: { readonly of: Setting }) =>
  here === null ? (
    <span class="why">not set{value !== null && ' here'}</span>
  ) : (
    <>
      <Written setting={setting} text={here} />
      <div class="why">{sources[from]}</div>
    </>
  )

/** A value as people read it: those who are mailed by name. */
export const Written = ({ setting, text }: { readonly setting: string; readonly text: string }) =>
  setting === 'noticesMail' ? <Recipients of={text.split(',')} /> : <Name text={text} isWhole />
