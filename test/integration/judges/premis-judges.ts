import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { server } from '../servers.ts'

/* Programs that judge PREMIS: libxml2's xmllint by the Library of Congress' schema, and rapper, Redland's parser of RDF. */

const xmllint = server('xmllint')
const rapper = server('rapper')
const schema = join(import.meta.dirname, '../../../packages/premis/schema/premis-v3-0.xsd')

export const lacksXmllint = 'absent' in xmllint
export const lacksRapper = 'absent' in rapper

/** Returns the schema's complaints about a document; empty if it is valid. */
export const complaintsOfSchema = (xml: string | Buffer): string => {
  const { status, stderr } = spawnSync(
    'address' in xmllint ? xmllint.address : '',
    ['--noout', '--nonet', '--schema', schema, '-'],
    { input: xml, encoding: 'utf8' },
  )
  expect(stderr).toMatch(status === 0 ? /^- validates/ : /./)
  return status === 0 ? '' : stderr
}

/** Returns the triples of a document in Turtle, a line each. Throws where it is none. */
export const triplesOf = (turtle: string | Buffer): readonly string[] =>
  execFileSync(
    'address' in rapper ? rapper.address : '',
    ['--quiet', '--input', 'turtle', '--output', 'ntriples', '-', 'https://archive.example/'],
    { input: turtle, encoding: 'utf8' },
  )
    .trimEnd()
    .split('\n')
