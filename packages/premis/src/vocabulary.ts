/*
 * Terms of the Library of Congress' lists, https://id.loc.gov/vocabulary/preservation/. Source of the event types: that list in its
 * state of 2018-09-24, as RDF; their definitions are in "Preservation Events Controlled Vocabulary, Revision 1" of the PREMIS
 * Editorial Committee (30 August 2017).
 */

const lists = 'http://id.loc.gov/vocabulary/preservation/'

/** The codes of a list, by term. */
const codes = {
  eventType: {
    accession: 'acc',
    appraisal: 'app',
    capture: 'cap',
    compiling: 'cop',
    compression: 'com',
    creation: 'cre',
    deaccession: 'dea',
    decompression: 'dec',
    decryption: 'der',
    deletion: 'del',
    'digital signature generation': 'dsg',
    'digital signature validation': 'dig',
    displaying: 'dsp',
    dissemination: 'dis',
    encryption: 'enc',
    execution: 'exe',
    exporting: 'exp',
    extraction: 'ext',
    'filename change': 'fil',
    'fixity check': 'fix',
    'forensic feature analysis': 'ffa',
    'format identification': 'for',
    imaging: 'ima',
    'information package creation': 'ipc',
    'information package merging': 'ipm',
    'information package splitting': 'ips',
    ingestion: 'ing',
    'ingestion end': 'ine',
    'ingestion start': 'ins',
    interpreting: 'int',
    'message digest calculation': 'mes',
    'metadata extraction': 'mee',
    'metadata modification': 'mem',
    migration: 'mig',
    modification: 'mod',
    normalization: 'nor',
    packing: 'pac',
    'policy assignment': 'poa',
    printing: 'prt',
    quarantine: 'qua',
    recovery: 'rec',
    redaction: 'red',
    refreshment: 'ref',
    rendering: 'ren',
    replication: 'rep',
    transfer: 'tra',
    unpacking: 'unp',
    unquarantine: 'unq',
    validation: 'val',
    'virus check': 'vir',
  },
  eventOutcome: { success: 'suc', fail: 'fai', warning: 'war' },
  eventRelatedAgentRole: { 'executing program': 'exe', implementer: 'imp' },
  eventRelatedObjectRole: { source: 'sou', outcome: 'out' },
  agentType: { organization: 'org', person: 'per', software: 'sof' },
  cryptographicHashFunctions: { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512': 'sha512' },
  relationshipType: { structural: 'str' },
  relationshipSubType: { 'is part of': 'isp' },
} as const

type Codes = typeof codes
export type List = keyof Codes
export type TermOf<Name extends List> = keyof Codes[Name] & string

/** A word, and the list that has it. */
export interface Term {
  readonly value: string
  /** Absent: no list of the Library has the word. */
  readonly listed?: { readonly list: List; readonly code: string }
}

export const term = <Name extends List>(list: Name, value: TermOf<Name>): Term => ({
  value,
  listed: { list, code: (codes[list] as Readonly<Record<string, string>>)[value] ?? '' },
})

/** Returns the list's term of this name; a word of one's own if there is none. */
export const termOrOwn = (list: List, value: string): Term =>
  Object.hasOwn(codes[list], value) ? term(list, value as never) : { value }

export const listUri = (list: List): string => `${lists}${list}`

/** Undefined for a word that no list has. */
export const termUri = ({ listed }: Term): string | undefined =>
  listed && `${listUri(listed.list)}/${listed.code}`

export const allLists = Object.keys(codes) as readonly List[]
