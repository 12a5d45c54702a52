import * as t from 'io-ts'

/**
 * A rule of the chain: what happened to an object in one workflow, and what another one is told of it. The archive's setting
 * `chain` names those that are on.
 */
export interface Rule {
  readonly name: string
  /** One sentence. */
  readonly says: string
  /** Events that it listens to, by their categories. */
  readonly listens: Readonly<Record<string, readonly string[]>>
  /** Messages that it sends, by their topics. */
  readonly sends: Readonly<Record<string, readonly string[]>>
}

export const rules = {
  fixity: {
    name: 'fixity',
    says: 'What a version of an object brought is under fixity, by the checksums of its submitter.',
    listens: { ingestObject: ['VersionStored', 'VersionAdopted', 'VersionsSetAside'] },
    sends: {
      'fonds.fixity.content': ['content.recorded', 'content.removed'],
      'fonds.fixity.index': ['index.recorded'],
    },
  },
  indexing: {
    name: 'indexing',
    says: 'Archive files that a version of an object brought are indexed where they lie, under its embargo.',
    listens: { ingestObject: ['VersionStored', 'VersionAdopted', 'VersionsSetAside'] },
    sends: { 'fonds.indexing.files': ['file.sighted', 'file.withdrawn'] },
  },
} as const satisfies Readonly<Record<string, Rule>>

export type RuleName = keyof typeof rules
export const ruleNames = Object.keys(rules) as readonly RuleName[]

export const RuleName = t.keyof(
  { fixity: null, indexing: null } satisfies Record<RuleName, null>,
  'rule of the chain',
)

/** Rules by name from the text of the setting, with commas between; `none`: no rule. Undefined if there is no such rule. */
export const rulesIn = (text: string): readonly RuleName[] | undefined => {
  if (text === 'none') return []
  const names = text.split(',').map((name) => name.trim())
  return names.every(RuleName.is) && new Set(names).size === names.length ? (names as RuleName[]) : undefined
}

export const isOn = (rule: RuleName, setting: string): boolean => rulesIn(setting)?.includes(rule) ?? false
