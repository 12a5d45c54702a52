import type { StorageObservation, Word } from '#src/domain/fixity/messages.ts'
import type { Witnesses } from '#src/domain/fixity/witness.ts'

/* Witnesses made from the pattern that they are to show. */

/** A distinct well-formed digest for each letter. */
export const digest = (letter: string): string => letter.toLowerCase().repeat(64)

export const sha256 = (letter: string) => ({ algorithm: 'sha-256', value: digest(letter) })
export const md5 = (letter: string) => ({ algorithm: 'md5', value: letter.toLowerCase().repeat(32) })
const multipart = { algorithm: 'md5', value: '9b2cf535f27731c974343645a3985328-12' }
export const unknownAlgorithm = { algorithm: 'whirlpool', value: 'feed' }

const content = (mark: string): Witnesses['content'] => {
  if (mark === '-') return { status: 'missing' }
  if (mark === 'n') return { status: 'not-attempted' }
  return { status: 'read', size: 3, checksums: mark === '?' ? [] : [sha256(mark), md5(mark)] }
}

const storage = (mark: string): StorageObservation =>
  mark === '-'
    ? { status: 'missing' }
    : { status: 'present', checksums: [mark === '?' ? multipart : sha256(mark)] }

const word = (mark: string): Word => {
  if (mark === '-') return { status: 'absent' }
  if (mark === 'x') return { status: 'removed' }
  return { status: 'recorded', checksums: [mark === '?' ? unknownAlgorithm : sha256(mark)] }
}

export const witnesses = (pattern: string): Witnesses => {
  const [c = '', s = '', i = '', a = ''] = pattern
  return { content: content(c), storage: storage(s), index: word(i), audit: word(a) }
}

/** Letters are given in order of first appearance. */
const canonical = (pattern: string): boolean => {
  const letters = [...new Set(pattern.replaceAll(/[^A-D]/g, ''))].join('')
  return 'ABCD'.startsWith(letters)
}

/** All canonical patterns for content of one kind: `A` read, `-` missing, `n` not attempted, `?` no known digest. */
export const patternsWith = (content: 'A' | '-' | 'n' | '?'): readonly string[] =>
  [...'-?ABCD']
    .flatMap((storage) => [...'-?ABCD'].map((index) => `${content}${storage}${index}`))
    .flatMap((others) => [...'-?xABCD'].map((audit) => `${others}${audit}`))
    .filter(canonical)

export const allPatterns = (['A', '-', 'n', '?'] as const).flatMap(patternsWith)

/** Without `?` and `x`: the patterns that the decision table speaks of. */
export const tablePatterns = (['A', '-', 'n'] as const)
  .flatMap(patternsWith)
  .filter((pattern) => !/[?x]/.test(pattern))
